/* dump_json.h - a dump in its JSON form, as the same values that a pickle gives.
 * Private to this wing. */
#ifndef HC_PARSERS_COLLECTIVES_DUMP_JSON_H
#define HC_PARSERS_COLLECTIVES_DUMP_JSON_H

#include "parsers/collectives/dump_value.h"
#include "parsers/collectives/pickle_reader.h"
#include "parsers/io/source.h"

struct hc_dump_json;

/* The source and taker stay valid until close. */
enum hc_status hc_dump_json_open(struct hc_dump_json **reader, const struct hc_source *source,
                                 const struct hc_dump_taker *taker, struct hc_error *err);
void hc_dump_json_close(struct hc_dump_json *reader);

/* As hc_pickle_run: up to the next entry, or to the end. The dictionary at the end lacks the
 * entries and the keys that are not looked for. */
enum hc_status hc_dump_json_run(struct hc_dump_json *reader, struct hc_pickle_end *end,
                                struct hc_error *err);

int64_t hc_dump_json_position(const struct hc_dump_json *reader);

#endif
