/* timings_records.c - the fields of a report on timed collectives. */
#include "reports/timings/timings_records.h"

#include "core/tables/json_records.h"
#include "reports/timings/timings_views.h"

#include <inttypes.h>

static const struct hc_timings_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_timed_set *set_of(const struct hc_item *at)
{
    return report_of(at)->set;
}

static const struct hc_timed_result *result_of(const struct hc_item *at)
{
    return report_of(at)->result;
}

/* The text of a code, or NULL. */
static const char *text_at(const struct hc_text_set *set, int32_t code)
{
    return code < 0 ? NULL : set->text[code];
}

static int64_t count_at(int32_t value)
{
    return value == HC_MISSING_I32 ? HC_MISSING_I64 : value;
}

/* ---- files ---- */

#define FILE_(...) HC_FIELD(struct hc_timings_file, __VA_ARGS__)
static const struct hc_field file_fields[] = {
    FILE_("path", path, "", "of the log"),
    FILE_("sha256", sha256, "", "of its bytes"),
    FILE_("size_bytes", size, "B", "of it"),
    FILE_("segment", segment, "", "of the archive; null for a file"),
    FILE_("records", n_records, "", "read"),
    FILE_("dropped", n_dropped, "", "of them"),
};
static const struct hc_record_def file_record = HC_RECORD(NULL, file_fields);

/* ---- ranks ---- */

#define PROCESS(at) HC_OF(struct hc_timed_process, at)
HC_GIVES_TEXT(process_of, text_at(&set_of(at)->processes, PROCESS(at)->process))

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_timed_process, __VA_ARGS__)
static const struct hc_field rank_fields[] = {
    FIELD("rank", rank, "", "of the job; null: no communicator has all processes in it"),
    HC_TEXT_OF("process", process_of, "host and process id"),
    FIELD("records", n_records, "", "of it"),
    FIELD("collectives", n_collectives, "", "of which waits are known"),
    FIELD("last_in", n_last, "", "collectives where it arrives last"),
    FIELD("caused_wait_ns", caused_ns, "ns", "what the others wait for it there"),
    FIELD("wait_ns", waited_ns, "ns", "what it waits for others"),
};
static const struct hc_record_def rank_record = HC_RECORD(NULL, rank_fields);

/* ---- collectives ---- */

#define COLLECTIVE(at) HC_OF(struct hc_timed_collective, at)

static const struct hc_timed_record *member_of(const struct hc_item *at)
{
    return &set_of(at)->records[*(const uint32_t *)at->record];
}

HC_GIVES(int64_t, member_rank, member_of(at)->rank)
HC_GIVES_TEXT(member_process, text_at(&set_of(at)->processes, member_of(at)->process))
HC_GIVES(int64_t, member_duration, member_of(at)->duration_ns)
HC_GIVES(int64_t, member_wait,
         COLLECTIVE(at->parent)->last == HC_MISSING_I32
             ? HC_MISSING_I64
             : hc_timed_wait_ns(result_of(at), set_of(at), COLLECTIVE(at->parent), at->index))
HC_GIVES(int64_t, member_collective, (int64_t)at->parent->index)

static const struct hc_field wait_fields[] = {
    HC_INTEGER_OF("collective", member_collective, "", "its number in the list",
                  .rules = HC_ONLY_CSV),
    HC_INTEGER_OF("rank", member_rank, "", "in the communicator"),
    HC_TEXT_OF("process", member_process, "host and process id"),
    HC_INTEGER_OF("duration_ns", member_duration, "ns", "as logged"),
    HC_INTEGER_OF("wait_ns", member_wait, "ns", "beyond that of the last to arrive"),
};
static const struct hc_record_def wait_record = HC_RECORD(NULL, wait_fields);

HC_GIVES(int64_t, index_of, (int64_t)at->index)
HC_GIVES_TEXT(id_of, text_at(&set_of(at)->ids, COLLECTIVE(at)->communicator))
HC_GIVES_TEXT(name_of, text_at(&set_of(at)->names,
                               set_of(at)->communicators[COLLECTIVE(at)->communicator].name))
HC_GIVES_TEXT(op_of, text_at(&set_of(at)->ops, COLLECTIVE(at)->op))
HC_GIVES(int64_t, n_ranks_of,
         count_at(set_of(at)->communicators[COLLECTIVE(at)->communicator].n_ranks))
HC_GIVES_TEXT(last_process_of, text_at(&set_of(at)->processes, COLLECTIVE(at)->last_process))
HC_GIVES(int64_t, waited_of,
         COLLECTIVE(at)->last == HC_MISSING_I32 ? HC_MISSING_I64 : COLLECTIVE(at)->waited_ns)
HC_GIVES(double, expected_of, COLLECTIVE(at)->expected.busbw_gb_s)
HC_GIVES(double, share_of, COLLECTIVE(at)->busbw_gb_s / COLLECTIVE(at)->expected.busbw_gb_s)
HC_GIVES(int64_t, baseline_ranks_of, count_at(COLLECTIVE(at)->expected.n_ranks))
HC_GIVES(bool, is_beyond, COLLECTIVE(at)->expected.is_beyond)
HC_GIVES(bool, has_baseline, report_of(at)->baseline != NULL)
HC_GIVES(size_t, n_waits, COLLECTIVE(at)->n)
HC_GIVES_ITEM(wait_at, &result_of(at)->members[COLLECTIVE(at)->first + i])

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_timed_collective, __VA_ARGS__)
static const struct hc_field collective_fields[] = {
    HC_INTEGER_OF("collective", index_of, "", "its place in the list"),
    HC_TEXT_OF("communicator", id_of, "its id"),
    HC_TEXT_OF("communicator_name", name_of, "null: the logs name none"),
    HC_TEXT_OF("op", op_of, "`all_reduce`, ..."),
    FIELD("number", seq, "", "among those of its op in the communicator"),
    FIELD("members", n, "", "that have a record"),
    HC_INTEGER_OF("n_ranks", n_ranks_of, "", "of the communicator"),
    FIELD("is_complete", is_complete, "", "all of them have a record"),
    FIELD("is_contradicted", is_contradicted, "", "a member has two records that differ"),
    FIELD("sizes_differ", are_sizes_other, "", "members say different sizes"),
    FIELD("timings_differ", are_timed_other, "", "members timed it in different ways"),
    FIELD("last_rank", last, "",
          "that arrives last, in the communicator; null: nothing can be said of waits"),
    HC_TEXT_OF("last_process", last_process_of, "host and process id"),
    FIELD("lead_ns", lead_ns, "ns", "of the last arrival behind the one before"),
    HC_INTEGER_OF("waited_ns", waited_of, "ns", "sum over the members"),
    FIELD("transfer_ns", least_ns, "ns", "least time of a member"),
    FIELD("bytes", bytes, "B", "of the whole operation, as nccl-tests counts them"),
    FIELD("algobw_gb_s", algobw_gb_s, "GB/s", "by bytes and transfer_ns"),
    FIELD("busbw_gb_s", busbw_gb_s, "GB/s", "likewise"),
    HC_REAL_OF("expected_gb_s", expected_of, "GB/s", "by the baseline", .has = has_baseline),
    HC_REAL_OF("share", share_of, "", "busbw_gb_s over that", .has = has_baseline),
    HC_INTEGER_OF("baseline_ranks", baseline_ranks_of, "", "of the table of the baseline",
                  .has = has_baseline),
    HC_BOOL_OF("is_beyond", is_beyond, "larger than any size of the baseline", .has = has_baseline),
    HC_LIST_OF("waits", n_waits, wait_at, &wait_record, "of each member", .rules = HC_LINE),
};
static const struct hc_record_def collective_record =
    HC_RECORD("a timed collective", collective_fields);

/* ---- rates ---- */

#define RATE(at) HC_OF(struct hc_timed_rate, at)
HC_GIVES_TEXT(op_of_rate, text_at(&set_of(at)->ops, RATE(at)->op))
HC_GIVES_TEXT(id_of_rate, text_at(&set_of(at)->ids, RATE(at)->communicator))
HC_GIVES(int64_t, lost_of, RATE(at)->lost_ns)

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_timed_rate, __VA_ARGS__)
static const struct hc_field rate_fields[] = {
    HC_TEXT_OF("op", op_of_rate, "of the transfers"),
    HC_TEXT_OF("communicator", id_of_rate, "its id; null: all of as many ranks"),
    FIELD("n_ranks", n_ranks, "", "of the communicator"),
    FIELD("bytes", bytes, "B", "size; of all communicators, the power of two from which on"),
    FIELD("transfers", n, "", "collectives, sends or receives"),
    FIELD("total_ns", total_ns, "ns", "of them, without waiting"),
    FIELD("median_ns", median_ns, "ns", "lower median"),
    FIELD("busbw_gb_s", busbw_gb_s, "GB/s", "bus bandwidth, lower median"),
    FIELD("least_busbw_gb_s", least_busbw_gb_s, "GB/s", "of one of them"),
    FIELD("expected_gb_s", expected_gb_s, "GB/s", "by the baseline, lower median",
          .has = has_baseline),
    FIELD("share", share, "", "busbw_gb_s over that", .has = has_baseline),
    HC_INTEGER_OF("lost_ns", lost_of, "ns",
                  "time beyond that at the expected bandwidth, of those that are slower",
                  .has = has_baseline),
    FIELD("below_baseline", n_below, "", "of the transfers, below the share", .has = has_baseline),
};
static const struct hc_record_def rate_record =
    HC_RECORD("transfers of an operation and size", rate_fields);

/* ---- totals and report ---- */

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_timed_totals, __VA_ARGS__)
static const struct hc_field total_fields[] = {
    FIELD("records", n_records, "", "that are used"),
    FIELD("collectives", n_collectives, "", "that they are of"),
    FIELD("with_waits", n_joint, "", "of them, those where someone can wait, and two are there"),
    FIELD("p2p", n_p2p, "", "records of sends and receives"),
    FIELD("incomplete", n_incomplete, "", "collectives of which members are missing"),
    FIELD("contradicted", n_contradicted, "", "where a member has two records that differ"),
    FIELD("sizes_differ", n_other_sizes, "", "where members say different sizes"),
    FIELD("timings_differ", n_other_timing, "", "where members timed in different ways"),
    FIELD("repeated", n_repeated, "", "records left out, since they are there twice"),
    FIELD("waited_ns", waited_ns, "ns", "over all members of all collectives"),
    FIELD("bandwidths_compared", n_compared, "", "records that say a bandwidth"),
    FIELD("bandwidths_differ", n_disagree, "", "from what size and time give"),
    FIELD("with_baseline", n_expected, "", "transfers that the baseline knows"),
    FIELD("below_baseline", n_below, "", "of them, below the share"),
    FIELD("cut", n_cut, "", "logs whose tail is missing"),
    FIELD("unknown_versions", n_unknown, "", "logs of a version that is not known"),
    FIELD("dropped", n_dropped, "", "records that could not be kept"),
    FIELD("other_objects", n_other, "", "that are no records"),
};
static const struct hc_record_def total_record = HC_RECORD(NULL, total_fields);

HC_GIVES_ITEM(job_of, report_of(at)->job)
HC_GIVES_ITEM(totals_of, &result_of(at)->totals)
HC_GIVES_TEXT(verdict_of, hc_timings_verdict(report_of(at), room))
HC_GIVES_TEXT(world_of, text_at(&set_of(at)->ids, result_of(at)->world))
HC_GIVES(size_t, n_ranks, result_of(at)->n_processes)
HC_GIVES_ITEM(rank_at, &result_of(at)->processes[i])
HC_GIVES(size_t, n_classes, result_of(at)->n_classes)
HC_GIVES_ITEM(class_at, &result_of(at)->classes[i])
HC_GIVES(size_t, n_rates, result_of(at)->n_rates)
HC_GIVES_ITEM(rate_at, &result_of(at)->rates[i])
HC_GIVES(size_t, n_collectives, result_of(at)->n_collectives)
HC_GIVES_ITEM(collective_at, &result_of(at)->collectives[i])

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_timings_report, __VA_ARGS__)
static const struct hc_field report_fields[] = {
    HC_PART_OF(job_of, &hc_job_key_record),
    FIELD("archive", archive, "", "null for files"),
    HC_TEXT_OF("verdict", verdict_of, "in words"),
    HC_TEXT_OF("world", world_of,
               "communicator whose ranks are those of the job; null: none has all processes"),
    FIELD("baseline", baseline, "", "file or job of the expected bandwidths; null: none"),
    FIELD("below", below, "", "share of them that `below_baseline` counts", .has = has_baseline),
    HC_OBJECT_OF("totals", totals_of, &total_record, "over all logs"),
    HC_LIST(struct hc_timings_report, "logs", files, n_files, &file_record, "that were read",
            .rules = HC_LINE),
    FIELD("copies", n_twins, "", "files equal to another log"),
    FIELD("left_out", n_left_out, "", "files that are no such logs"),
    HC_LIST_OF("ranks", n_ranks, rank_at, &rank_record, "by rank, else by process",
               .rules = HC_LINE),
    HC_LIST_OF("classes", n_classes, class_at, &rate_record,
               "over all communicators, by operation, ranks and size", .rules = HC_LINE),
    HC_LIST_OF("rates", n_rates, rate_at, &rate_record,
               "by communicator, operation and size, the most lost time first", .rules = HC_LINE),
    HC_LIST_OF("collectives", n_collectives, collective_at, &collective_record,
               "by communicator, operation and number"),
};
const struct hc_record_def hc_timings_record = HC_RECORD(NULL, report_fields);
