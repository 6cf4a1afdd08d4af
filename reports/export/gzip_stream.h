/* gzip_stream.h - a stream that compresses what is written to it. */
#ifndef HC_REPORTS_EXPORT_GZIP_STREAM_H
#define HC_REPORTS_EXPORT_GZIP_STREAM_H

#include "core/base/status.h"

#include <stdio.h>

/* A stream whose bytes go to `to` as one gzip member, without time or name, so equal input gives
 * equal bytes. fclose ends the member and fails when anything could not be written; `to` stays open
 * and must outlive it. NULL with err filled. level is zlib's, 1 to 9. */
FILE *hc_gzip_stream(FILE *to, int level, struct hc_error *err);

#endif
