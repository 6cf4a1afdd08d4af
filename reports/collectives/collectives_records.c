#include "reports/collectives/collectives_records.h"

#include "core/base/missing.h"
#include "models/collectives/collective_names.h"
#include "reports/collectives/collectives_words.h"

static const struct hc_collectives_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_collective_diagnosis *diagnosis_of(const struct hc_item *at)
{
    return report_of(at)->diagnosis;
}

static const struct hc_collective_set *set_of(const struct hc_item *at)
{
    return report_of(at)->set;
}

/* ---- lists of ranks ---- */

/* A list of the ranks of a span. */
#define SPAN_OF(name, expression)                                                                  \
    static size_t name##_count(const struct hc_item *at)                                           \
    {                                                                                              \
        return (expression).n;                                                                     \
    }                                                                                              \
    static const void *name##_item(const struct hc_item *at, size_t i)                             \
    {                                                                                              \
        return &diagnosis_of(at)->ranks[(expression).from + i];                                    \
    }
#define SPAN(name_, function, sentence_)                                                           \
    HC_LIST_OF(name_, function##_count, function##_item, &hc_i32_items, sentence_, .rules = HC_LINE)

/* ---- waits ---- */

#define WAIT(at) HC_OF(struct hc_collective_wait, at)
SPAN_OF(waiting, WAIT(at)->waiting)
SPAN_OF(absent, WAIT(at)->absent)
SPAN_OF(passed, WAIT(at)->passed)
SPAN_OF(unknown, WAIT(at)->unknown)
HC_GIVES_TEXT(group_of_wait, hc_collective_group_name(set_of(at), WAIT(at)->group))
HC_GIVES_TEXT(description_of_wait, hc_collective_group_description(set_of(at), WAIT(at)->group))
HC_GIVES_TEXT(op_of_wait, hc_collective_op_name(set_of(at), WAIT(at)->op))

#define FIELD(...) HC_FIELD(struct hc_collective_wait, __VA_ARGS__)
static const struct hc_field wait_fields[] = {
    HC_TEXT_OF("group", group_of_wait, "name of the process group"),
    HC_TEXT_OF("description", description_of_wait, "of the group", .rules = HC_NULL_IF_EMPTY),
    FIELD("collective", seq, "", "its number in the group"),
    HC_TEXT_OF("op", op_of_wait, "as the dump names it"),
    FIELD("in_elements", in_elements, "", "that the lowest rank puts in"),
    FIELD("out_elements", out_elements, "", "that the lowest rank gets out"),
    FIELD("first_ns", first_ns, "ns", "Unix time at which the first rank queued it, by its clock"),
    FIELD("n_like", n_like, "", "collectives of the group that are like it, it included"),
    SPAN("waiting", waiting, "ranks that have queued it, and wait"),
    SPAN("absent", absent, "ranks that have not queued it, by their counters"),
    SPAN("passed", passed, "ranks on which it has ended"),
    SPAN("unknown", unknown, "other members"),
};
static const struct hc_record_def wait = HC_RECORD("a wait", wait_fields);

/* ---- suspects ---- */

#define SUSPECT(at) HC_OF(struct hc_collective_suspect, at)
SPAN_OF(waiting_for, SUSPECT(at)->waiting)
HC_GIVES(bool, is_behind, SUSPECT(at)->is_behind)
HC_GIVES_TEXT(group_behind, hc_collective_group_name(set_of(at), SUSPECT(at)->group))
static const void *wait_of(const struct hc_item *at, size_t i)
{
    (void)i;
    return SUSPECT(at)->wait < 0 ? NULL : &diagnosis_of(at)->waits[SUSPECT(at)->wait];
}

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_collective_suspect, __VA_ARGS__)
static const struct hc_field suspect_fields[] = {
    FIELD("rank", rank, "", "its number"),
    FIELD("is_behind", is_behind, "", "its GPU does not end what has ended elsewhere"),
    FIELD("is_late", is_late, "", "it has not queued what others wait in"),
    FIELD("groups_behind", n_groups, "", "groups in which it is behind", .has = is_behind),
    FIELD("behind_by", most, "", "collectives, in the worst of these groups", .has = is_behind),
    HC_TEXT_OF("behind_group", group_behind, "that group", .has = is_behind),
    FIELD("behind_collective", seq, "", "the first there that it has not ended", .has = is_behind),
    FIELD("ahead", ahead, "", "a rank that is the farthest there", .has = is_behind),
    SPAN("waiting", waiting_for, "ranks that wait for it, in any collective"),
    HC_OBJECT_OF("first_wait", wait_of, &wait, "the earliest for it"),
};
static const struct hc_record_def suspect = HC_RECORD("a suspect", suspect_fields);

/* ---- progress ---- */

#define PROGRESS(at) HC_OF(struct hc_collective_progress, at)
SPAN_OF(equals, PROGRESS(at)->ranks)
HC_GIVES_TEXT(group_of_progress, hc_collective_group_name(set_of(at), PROGRESS(at)->group))
HC_GIVES_TEXT(description_of_progress,
              hc_collective_group_description(set_of(at), PROGRESS(at)->group))

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_collective_progress, __VA_ARGS__)
static const struct hc_field progress_fields[] = {
    HC_TEXT_OF("group", group_of_progress, "name of the process group"),
    HC_TEXT_OF("description", description_of_progress, "of the group", .rules = HC_NULL_IF_EMPTY),
    FIELD("enqueued", enqueued, "", "number of the last collective that was queued; -1: none"),
    FIELD("completed", completed, "", "number of the last that has ended; -1: none"),
    SPAN("ranks", equals, "members that say so"),
};
static const struct hc_record_def progress = HC_RECORD(NULL, progress_fields);

/* ---- what does not fit ---- */

static const struct hc_collective *called(const struct hc_item *at)
{
    return &set_of(at)->collectives[HC_OF(struct hc_collective_mismatch_place, at)->collective];
}

static const struct hc_collective_mismatch *other_call(const struct hc_item *at)
{
    return &set_of(at)->mismatches[called(at)->mismatch];
}

HC_GIVES_TEXT(group_of_mismatch,
              hc_collective_group_name(set_of(at),
                                       HC_OF(struct hc_collective_mismatch_place, at)->group))
HC_GIVES(int64_t, rank_of_call, called(at)->rank)
HC_GIVES_TEXT(op_of_call, hc_collective_op_name(set_of(at), called(at)->op))
HC_GIVES(int64_t, elements_of_call, called(at)->in_elements)
HC_GIVES(int64_t, rank_of_other, other_call(at)->rank)
HC_GIVES_TEXT(op_of_other, hc_collective_op_name(set_of(at), other_call(at)->op))
HC_GIVES(int64_t, elements_of_other, other_call(at)->in_elements)

static const struct hc_field mismatch_fields[] = {
    HC_TEXT_OF("group", group_of_mismatch, "name of the process group"),
    HC_FIELD(struct hc_collective_mismatch_place, "collective", seq, "", "its number in the group"),
    HC_INTEGER_OF("rank", rank_of_call, "", "the lowest that queued it"),
    HC_TEXT_OF("op", op_of_call, "that it called"),
    HC_INTEGER_OF("in_elements", elements_of_call, "", "that it puts in"),
    HC_INTEGER_OF("other_rank", rank_of_other, "", "the lowest that called something else"),
    HC_TEXT_OF("other_op", op_of_other, "that it called"),
    HC_INTEGER_OF("other_in_elements", elements_of_other, "", "that it puts in"),
};
static const struct hc_record_def mismatch = HC_RECORD(NULL, mismatch_fields);

#define PAIR(at) HC_OF(struct hc_collective_pair, at)
static int64_t known_rank(int32_t rank)
{
    return rank < 0 ? HC_MISSING_I64 : rank;
}
HC_GIVES_TEXT(group_of_pair, hc_collective_group_name(set_of(at), PAIR(at)->side.group))
HC_GIVES(int64_t, source_of, known_rank(PAIR(at)->side.source))
HC_GIVES(int64_t, destination_of, known_rank(PAIR(at)->side.destination))

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_collective_pair, __VA_ARGS__)
static const struct hc_field pair_fields[] = {
    HC_TEXT_OF("group", group_of_pair, "name of the process group"),
    FIELD("number", side.seq, "", "`p2p_seq_id`"),
    HC_INTEGER_OF("source", source_of, "", "rank that sends"),
    HC_INTEGER_OF("destination", destination_of, "", "rank that receives"),
    FIELD("rank", side.rank, "", "that recorded its end"),
    FIELD("elements", side.elements, "", "by it"),
    FIELD("is_mismatch", is_mismatch, "", "the other end is there, with other elements"),
    FIELD("other_elements", other_elements, "", "of the other end"),
};
static const struct hc_record_def pair = HC_RECORD(NULL, pair_fields);

/* ---- dumps ---- */

HC_GIVES(int64_t, n_dumps, (int64_t)set_of(at)->n_dumps)
HC_GIVES(int64_t, n_groups, (int64_t)set_of(at)->n_ordered_groups)
HC_GIVES(int64_t, world_size, diagnosis_of(at)->world_size)
HC_GIVES(int64_t, n_entries, diagnosis_of(at)->n_entries)
HC_GIVES(int64_t, n_dropped, diagnosis_of(at)->n_dropped)
HC_GIVES(int64_t, n_collective_entries, diagnosis_of(at)->n_collective_entries)
HC_GIVES(int64_t, n_p2p_entries, diagnosis_of(at)->n_p2p_entries)
SPAN_OF(missing, diagnosis_of(at)->missing)

static const struct hc_field file_fields[] = {
    HC_FIELD(struct hc_dump_note, "path", path, "", "as it was given or found"),
    HC_FIELD(struct hc_dump_note, "outcome", outcome, "",
             "`cut`, `empty`, `unreadable`, `copy` or `foreign`"),
    HC_FIELD(struct hc_dump_note, "why", why, "", "where there is more to say"),
};
static const struct hc_record_def file = HC_RECORD(NULL, file_fields);

#undef FIELD
#define FIELD(...) HC_FIELD(struct hc_collectives_report, __VA_ARGS__)
static const struct hc_field dumps_fields[] = {
    HC_INTEGER_OF("read", n_dumps, "", "of as many ranks"),
    HC_INTEGER_OF("world_size", world_size, "", "ranks of the job: the largest of any group, + 1"),
    SPAN("missing", missing, "ranks of which no dump could be used"),
    HC_INTEGER_OF("entries", n_entries, "", "of all dumps"),
    HC_INTEGER_OF("entries_left_out", n_dropped, "", "that lack group, number or name"),
    HC_INTEGER_OF("collective_entries", n_collective_entries, "", "of the others"),
    HC_INTEGER_OF("p2p_entries", n_p2p_entries, "", "sends and receives"),
    HC_INTEGER_OF("groups", n_groups, "", "process groups"),
    FIELD("cut", n_cut, "", "files whose tail is missing"),
    FIELD("empty", n_empty, "", "files without a byte"),
    FIELD("unreadable", n_unreadable, "", "other files that could not be used"),
    FIELD("copies", n_twins, "", "files equal to another of their rank"),
    FIELD("foreign", n_foreign, "", "files of a directory that are no dumps"),
    FIELD("without_entries", n_without_entries, "", "dumps that have counters only"),
    HC_LIST(struct hc_collectives_report, "files", notes, n_notes, &file,
            "those of which not all is used"),
};
static const struct hc_record_def dumps = HC_RECORD(NULL, dumps_fields);

/* ---- the document ---- */

static const char *verdict_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    char text[HC_VERDICT_TEXT];
    snprintf(room, HC_CELL_ROOM, "%s", hc_collectives_verdict(report_of(at), text));
    return room;
}

HC_GIVES(bool, has_finding, diagnosis_of(at)->has_finding)
HC_GIVES(int64_t, n_collectives, diagnosis_of(at)->n_collectives)
HC_GIVES(int64_t, n_complete, diagnosis_of(at)->n_complete)
HC_GIVES(int64_t, n_partial, diagnosis_of(at)->n_partial)
HC_GIVES(int64_t, n_mismatched, diagnosis_of(at)->n_mismatched)
HC_GIVES(int64_t, n_pairs, diagnosis_of(at)->n_pairs)
SPAN_OF(late, diagnosis_of(at)->late)
SPAN_OF(behind, diagnosis_of(at)->behind)
SPAN_OF(in_circle, diagnosis_of(at)->in_circle)

static const struct hc_field counts_fields[] = {
    HC_INTEGER_OF("all", n_collectives, "", "of which a dump has an entry, by group and number"),
    HC_INTEGER_OF("complete", n_complete, "", "of them, those with an entry of every member"),
    HC_INTEGER_OF("partial", n_partial, "", "the others"),
    HC_INTEGER_OF("mismatched", n_mismatched, "", "called differently by different ranks"),
    HC_INTEGER_OF("pairs", n_pairs, "", "sends with their receives"),
};
static const struct hc_record_def counts = HC_RECORD(NULL, counts_fields);

#define LIST_OF(function, member, n_member)                                                        \
    static size_t function##_count(const struct hc_item *at)                                       \
    {                                                                                              \
        return diagnosis_of(at)->n_member;                                                         \
    }                                                                                              \
    static const void *function##_item(const struct hc_item *at, size_t i)                         \
    {                                                                                              \
        return &diagnosis_of(at)->member[i];                                                       \
    }
#define LIST(name_, function, def_, sentence_)                                                     \
    HC_LIST_OF(name_, function##_count, function##_item, def_, sentence_)
LIST_OF(suspects, suspects, n_suspects)
LIST_OF(all_late, all_late, n_late)
LIST_OF(waits, waits, n_waits)
LIST_OF(unknown_waits, unknown_waits, n_unknown_waits)
LIST_OF(progress, progress, n_progress)
LIST_OF(mismatches, mismatch_places, n_mismatch_places)
LIST_OF(open_pairs, open_pairs, n_open_pairs)

static const struct hc_field document_fields[] = {
    HC_TEXT_OF("verdict", verdict_of, "in a sentence"),
    HC_BOOL_OF("has_finding", has_finding,
               "there are suspects, a circle, or collectives called differently: exit status 1"),
    LIST("suspects", suspects, &suspect, "ranks that hang, by number"),
    SPAN("late", late, "ranks that have not queued what others wait in"),
    SPAN("behind", behind, "ranks whose GPU does not end what has ended elsewhere"),
    SPAN("in_circle", in_circle, "late ranks, where each of them waits for another"),
    HC_GROUP("dumps", &dumps, "what was read"),
    HC_GROUP("collectives", &counts, "how many"),
    LIST("waits", waits, &wait, "the first differences of each group, the earliest first"),
    LIST("unknown_waits", unknown_waits, &wait,
         "the first wait of each group for ranks of which nothing is known"),
    LIST("waits_for", all_late, &suspect, "the late ranks, and who waits for them"),
    LIST("progress", progress, &progress, "how far the members of each group came"),
    LIST("mismatches", mismatches, &mismatch, "collectives called differently"),
    LIST("open_pairs", open_pairs, &pair,
         "sends and receives that wait for their other end, or do not agree with it"),
};
const struct hc_record_def hc_collectives_record = HC_RECORD(NULL, document_fields);
