#include "reports/fleet/fleet_report.h"

#include "core/base/digest.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define SHOWN_ID 80 /* bytes of the job id in a file name */

/* The job id as a file name and a link may hold it everywhere: letters, digits, "-", "_", and "."
 * where it does not hide the file. */
static void plain_id(const char *id, char plain[SHOWN_ID + 1])
{
    size_t n = 0;
    for (; id && id[n] && n < SHOWN_ID; n++) {
        unsigned char c = (unsigned char)id[n];
        bool is_plain = c < 0x80 && (isalnum(c) || c == '-' || c == '_' || (c == '.' && n > 0));
        plain[n] = is_plain ? id[n] : '_';
    }
    plain[n] = '\0';
}

const char *hc_fleet_page_name(const struct hc_fleet_row *row, char name[HC_FLEET_PAGE_NAME])
{
    char part[3][HC_DIGEST_TEXT], joined[3 * HC_DIGEST_TEXT], digest[HC_DIGEST_TEXT];
    char plain[SHOWN_ID + 1];
    const char *cluster = row->cluster ? row->cluster : "";
    const char *id = row->job_id ? row->job_id : "";
    hc_digest_bytes(cluster, strlen(cluster), part[0]);
    hc_digest_bytes(id, strlen(id), part[1]);
    hc_digest_bytes(&row->attempt, sizeof row->attempt, part[2]);
    int n = snprintf(joined, sizeof joined, "%s %s %s", part[0], part[1], part[2]);
    hc_digest_bytes(joined, (size_t)n, digest);
    plain_id(id, plain);
    snprintf(name, HC_FLEET_PAGE_NAME, "%s-%" PRId32 "-%.12s.html", plain, row->attempt, digest);
    return name;
}
