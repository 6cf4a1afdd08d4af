/* collectives_tables.c - the tables of a diagnosis, for text and pages. */
#include "reports/collectives/collectives_words.h"

#include "core/base/missing.h"
#include "core/text/number_format.h"
#include "models/collectives/collective_names.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(columns) (sizeof(columns) / sizeof *(columns))

static void put_ranks(struct hc_section *section, const struct hc_collective_diagnosis *d,
                      struct hc_rank_span span)
{
    char text[HC_RANKS_TEXT];
    hc_section_text(section, span.n ? hc_ranks_text(d, span, text) : "-");
}

static void put_number(struct hc_section *section, int64_t number)
{
    char text[32];
    if (number == HC_MISSING_I64)
        hc_section_text(section, "-");
    else {
        snprintf(text, sizeof text, "%" PRId64, number);
        hc_section_text(section, text);
    }
}

static void put_group(struct hc_section *section, const struct hc_collective_set *set,
                      int32_t group)
{
    hc_section_text(section, hc_collective_group_name(set, group));
    hc_section_text(section, hc_collective_group_description(set, group));
}

static void note_more(struct hc_section *section, size_t n, size_t most)
{
    if (n > most)
        hc_section_note(section, "%zu more are in JSON and CSV", n - most);
}

struct hc_section hc_collectives_suspects_table(const struct hc_collectives_report *report,
                                                size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .width = 8},
        {.title = "behind in groups", .gap = 2, .width = 16, .is_right = true},
        {.title = "at most by", .gap = 2, .width = 10, .is_right = true},
        {.title = "waited for by", .gap = 2},
    };
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {
        .title = "SUSPECTS", .columns = columns, .n_columns = COUNT(columns)};
    for (size_t i = 0; i < d->n_suspects && i < most; i++) {
        put_number(&section, d->suspects[i].rank);
        hc_section_count(&section, d->suspects[i].n_groups);
        hc_section_count(&section, d->suspects[i].most);
        put_ranks(&section, d, d->suspects[i].waiting);
    }
    note_more(&section, d->n_suspects, most);
    return section;
}

static const struct hc_section_column wait_columns[] = {
    {.title = "group"},
    {.title = "collective", .gap = 2},
    {.title = "op", .gap = 2},
    {.title = "waiting", .gap = 2},
    {.title = "not there", .gap = 2},
    {.title = "ended on", .gap = 2},
    {.title = "unknown", .gap = 2},
    {.title = "and more", .gap = 2, .is_right = true},
    {.title = "description", .gap = 2},
};

static void put_waits(struct hc_section *section, const struct hc_collectives_report *report,
                      const struct hc_collective_wait *waits, size_t n)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    for (size_t i = 0; i < n; i++) {
        const struct hc_collective_wait *wait = &waits[i];
        hc_section_text(section, hc_collective_group_name(report->set, wait->group));
        put_number(section, wait->seq);
        hc_section_text(section, hc_collective_op_name(report->set, wait->op));
        put_ranks(section, d, wait->waiting);
        put_ranks(section, d, wait->absent);
        put_ranks(section, d, wait->passed);
        put_ranks(section, d, wait->unknown);
        hc_section_count(section, wait->n_like - 1);
        hc_section_text(section, hc_collective_group_description(report->set, wait->group));
    }
}

struct hc_section hc_collectives_waits_table(const struct hc_collectives_report *report,
                                             size_t most)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {.title = "FIRST DIFFERENCES IN EACH GROUP, THE EARLIEST FIRST",
                                 .columns = wait_columns,
                                 .n_columns = COUNT(wait_columns)};
    put_waits(&section, report, d->waits, d->n_waits < most ? d->n_waits : most);
    note_more(&section, d->n_waits, most);
    return section;
}

struct hc_section hc_collectives_unknown_table(const struct hc_collectives_report *report,
                                               size_t most)
{
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {.title = "WAITS FOR RANKS OF WHICH NOTHING IS KNOWN",
                                 .columns = wait_columns,
                                 .n_columns = COUNT(wait_columns)};
    put_waits(&section, report, d->unknown_waits,
              d->n_unknown_waits < most ? d->n_unknown_waits : most);
    note_more(&section, d->n_unknown_waits, most);
    return section;
}

struct hc_section hc_collectives_late_table(const struct hc_collectives_report *report, size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "rank", .width = 8},
        {.title = "is waited for by", .gap = 2},
        {.title = "first in group", .gap = 2},
        {.title = "collective", .gap = 2},
        {.title = "op", .gap = 2},
    };
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {
        .title = "WHO WAITS FOR WHOM", .columns = columns, .n_columns = COUNT(columns)};
    for (size_t i = 0; i < d->n_late && i < most; i++) {
        const struct hc_collective_suspect *late = &d->all_late[i];
        const struct hc_collective_wait *wait = late->wait < 0 ? NULL : &d->waits[late->wait];
        put_number(&section, late->rank);
        put_ranks(&section, d, late->waiting);
        hc_section_text(&section, wait ? hc_collective_group_name(report->set, wait->group) : "-");
        put_number(&section, wait ? wait->seq : HC_MISSING_I64);
        hc_section_text(&section, wait ? hc_collective_op_name(report->set, wait->op) : "");
    }
    note_more(&section, d->n_late, most);
    return section;
}

/* Whether the members of the group of a row are not all equally far. */
static bool is_uneven(const struct hc_collective_diagnosis *d, size_t i)
{
    return (i > 0 && d->progress[i - 1].group == d->progress[i].group) ||
           (i + 1 < d->n_progress && d->progress[i + 1].group == d->progress[i].group);
}

struct hc_section hc_collectives_progress_table(const struct hc_collectives_report *report,
                                                size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "group"},
        {.title = "queued", .gap = 2, .is_right = true},
        {.title = "ended", .gap = 2, .is_right = true},
        {.title = "ranks", .gap = 2},
        {.title = "description", .gap = 2},
    };
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {.title = "GROUPS WHOSE MEMBERS ARE NOT EQUALLY FAR",
                                 .columns = columns,
                                 .n_columns = COUNT(columns)};
    size_t n = 0;
    for (size_t i = 0; i < d->n_progress; i++) {
        const struct hc_collective_progress *row = &d->progress[i];
        if (!is_uneven(d, i) || n++ >= most)
            continue;
        hc_section_text(&section, hc_collective_group_name(report->set, row->group));
        put_number(&section, row->enqueued);
        put_number(&section, row->completed);
        put_ranks(&section, d, row->ranks);
        hc_section_text(&section, hc_collective_group_description(report->set, row->group));
    }
    note_more(&section, n, most);
    return section;
}

struct hc_section hc_collectives_mismatch_table(const struct hc_collectives_report *report,
                                                size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "group"},
        {.title = "description", .gap = 2},
        {.title = "collective", .gap = 2},
        {.title = "rank", .gap = 2},
        {.title = "calls", .gap = 2},
        {.title = "elements", .gap = 2, .is_right = true},
        {.title = "rank", .gap = 2},
        {.title = "calls", .gap = 2},
        {.title = "elements", .gap = 2, .is_right = true},
    };
    const struct hc_collective_diagnosis *d = report->diagnosis;
    const struct hc_collective_set *set = report->set;
    struct hc_section section = {.title = "CALLED DIFFERENTLY BY DIFFERENT RANKS",
                                 .columns = columns,
                                 .n_columns = COUNT(columns)};
    for (size_t i = 0; i < d->n_mismatch_places && i < most; i++) {
        const struct hc_collective *a = &set->collectives[d->mismatch_places[i].collective];
        const struct hc_collective_mismatch *b = &set->mismatches[a->mismatch];
        put_group(&section, set, d->mismatch_places[i].group);
        put_number(&section, d->mismatch_places[i].seq);
        put_number(&section, a->rank);
        hc_section_text(&section, hc_collective_op_name(set, a->op));
        hc_section_count(&section, a->in_elements);
        put_number(&section, b->rank);
        hc_section_text(&section, hc_collective_op_name(set, b->op));
        hc_section_count(&section, b->in_elements);
    }
    note_more(&section, d->n_mismatch_places, most);
    return section;
}

struct hc_section hc_collectives_pairs_table(const struct hc_collectives_report *report,
                                             size_t most)
{
    static const struct hc_section_column columns[] = {
        {.title = "group"},
        {.title = "number", .gap = 2},
        {.title = "from", .gap = 2},
        {.title = "to", .gap = 2},
        {.title = "known of", .gap = 2},
        {.title = "elements", .gap = 2, .is_right = true},
        {.title = "other end", .gap = 2, .is_right = true},
        {.title = "description", .gap = 2},
    };
    const struct hc_collective_diagnosis *d = report->diagnosis;
    struct hc_section section = {.title = "SENDS AND RECEIVES WITHOUT THEIR OTHER END",
                                 .columns = columns,
                                 .n_columns = COUNT(columns)};
    for (size_t i = 0; i < d->n_open_pairs && i < most; i++) {
        const struct hc_collective_pair *pair = &d->open_pairs[i];
        hc_section_text(&section, hc_collective_group_name(report->set, pair->side.group));
        put_number(&section, pair->side.seq);
        put_number(&section, pair->side.source < 0 ? HC_MISSING_I64 : pair->side.source);
        put_number(&section, pair->side.destination < 0 ? HC_MISSING_I64 : pair->side.destination);
        put_number(&section, pair->side.rank);
        hc_section_count(&section, pair->side.elements);
        hc_section_count(&section, pair->is_mismatch ? pair->other_elements : HC_MISSING_I64);
        hc_section_text(&section, hc_collective_group_description(report->set, pair->side.group));
    }
    note_more(&section, d->n_open_pairs, most);
    return section;
}
