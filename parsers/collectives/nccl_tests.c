/* nccl_tests.c - what the benchmarks of nccl-tests print: tables of times and bandwidths by size,
 * one or more in a file, among lines of other programs (docs/formats/nccl-tests.md). */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/collectives/bandwidth_table.h"
#include "core/text/collective_op.h"
#include "core/text/number_text.h"
#include "parsers/io/format.h"
#include "parsers/io/line_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS  24
#define PLACE_WORDS 4 /* time, algbw, busbw and errors, out of place and in place each */

struct word {
    const char *text;
    size_t length;
};

struct words {
    size_t n;
    struct word list[MOST_WORDS];
};

struct nccl_tests {
    const struct hc_source *source;
    struct hc_line_reader *lines;
    struct hc_text_set *ops, *dtypes, *redops;
    char op[HC_COLLECTIVE_OP]; /* of the next table; "": not said yet */
    int32_t n_ranks;           /* said since the last table, or missing */
    bool ranks_are_of_table;   /* a list that begins now is of another table */
    /* Of the current table. */
    int32_t table, op_code; /* table -1: none yet */
    bool has_redop, has_root;
    size_t n_places;
    bool is_over, has_warned;
};

static bool holds(const unsigned char *head, size_t length, const char *word)
{
    return memmem(head, length, word, strlen(word)) != NULL;
}

/* Whether "algbw   busbw" stands somewhere, as in the head of a table. */
static bool holds_heading(const unsigned char *head, size_t length)
{
    const unsigned char *end = head + length, *at = head;
    while ((at = memmem(at, (size_t)(end - at), "algbw ", 6))) {
        for (at += 6; at < end && *at == ' ';)
            at++;
        if (end - at >= 5 && memcmp(at, "busbw", 5) == 0)
            return true;
    }
    return false;
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    if (holds_heading(head, length))
        return 95;
    return holds(head, length, "# nThread") && holds(head, length, "minBytes") ? 90 : 0;
}

/* ---- lines ---- */

/* mpirun puts "[1,0]<stdout>:" before each line. */
static void skip_tag(struct hc_line *line)
{
    const char *tag =
        line->length && line->text[0] == '[' ? memmem(line->text, line->length, ">:", 2) : NULL;
    if (!tag)
        return;
    line->length -= (size_t)(tag + 2 - line->text);
    line->text = tag + 2;
}

static struct words split(const struct hc_line *line)
{
    struct words words = {0};
    const char *at = line->text, *end = at + line->length;
    while (at < end && words.n < MOST_WORDS) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        const char *start = at;
        while (at < end && !isspace((unsigned char)*at))
            at++;
        if (at > start)
            words.list[words.n++] = (struct word){start, (size_t)(at - start)};
    }
    return words;
}

static bool is_word(const struct word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

static bool has_word(const struct words *words, const char *text)
{
    for (size_t i = 0; i < words->n; i++)
        if (is_word(&words->list[i], text))
            return true;
    return false;
}

static bool is_whole(const struct word *word, int64_t *value)
{
    return hc_text_to_i64(word->text, word->length, value) == HC_TEXT_OK;
}

/* ---- which operation ---- */

/* The operation whose name stands in a text, with anything or nothing between its letters. */
static bool find_op(const char *text, size_t length, char op[HC_COLLECTIVE_OP])
{
    static const char *const stems[][2] = {
        {"sendrecv", "sendrecv"},    {"allreduce", "all_reduce"},
        {"allgather", "all_gather"}, {"reducescatter", "reduce_scatter"},
        {"alltoall", "all_to_all"},  {"broadcast", "broadcast"},
        {"hypercube", "hypercube"},  {"gather", "gather"},
        {"scatter", "scatter"},      {"reduce", "reduce"},
    };
    char letters[256];
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < sizeof letters; i++)
        if (isalpha((unsigned char)text[i]))
            letters[n++] = (char)tolower((unsigned char)text[i]);
    letters[n] = '\0';
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (strstr(letters, stems[i][0])) {
            strcpy(op, stems[i][1]);
            return true;
        }
    return false;
}

/* "all_reduce_perf" in a line: the program that prints the next table. */
static void look_for_program(struct nccl_tests *p, const struct words *words)
{
    char op[HC_COLLECTIVE_OP];
    for (size_t i = 0; i < words->n; i++) {
        const struct word *word = &words->list[i];
        const char *perf = memmem(word->text, word->length, "_perf", 5);
        const char *start = perf;
        while (start && start > word->text && start[-1] != '/')
            start--;
        if (perf && find_op(start, (size_t)(perf - start), op))
            strcpy(p->op, op);
    }
}

static void look_in_name(struct nccl_tests *p)
{
    const char *slash = strrchr(p->source->name, '/'), *name = slash ? slash + 1 : p->source->name;
    find_op(name, strlen(name), p->op);
}

/* "#   Rank  3 Pid ...": ranks are counted from 0. */
static void look_for_rank(struct nccl_tests *p, const struct words *words)
{
    int64_t rank = 0;
    for (size_t i = 1; i + 1 < words->n && i < 3; i++) {
        if (!is_word(&words->list[i], "Rank") || !is_whole(&words->list[i + 1], &rank) ||
            rank < 0 || rank >= INT32_MAX)
            continue;
        if (p->ranks_are_of_table)
            p->n_ranks = HC_MISSING_I32;
        p->ranks_are_of_table = false;
        if (p->n_ranks == HC_MISSING_I32 || rank >= p->n_ranks)
            p->n_ranks = (int32_t)rank + 1;
        return;
    }
}

/* ---- a table ---- */

static enum hc_status begin_table(struct nccl_tests *p, const struct words *words,
                                  const struct hc_line *line, struct hc_error *err)
{
    p->n_places = 0;
    for (size_t i = 0; i < words->n; i++)
        p->n_places += is_word(&words->list[i], "busbw");
    p->has_redop = has_word(words, "redop");
    p->has_root = has_word(words, "root");
    p->table++;
    p->ranks_are_of_table = true;
    if (!p->op[0])
        look_in_name(p);
    if (!p->op[0])
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: nothing says which operation was measured: name the file "
                       "after it, as in all_reduce.log",
                       p->source->name, (long long)line->number);
    if (p->n_places < 1 || p->n_places > 2)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': line %lld: a table has 'busbw' once or twice, not %zu times",
                       p->source->name, (long long)line->number, p->n_places);
    return hc_text_set_add(p->ops, p->op, strlen(p->op), &p->op_code, err);
}

/* Numbers of a row: "N/A" and the like are none. */
static double real_of(const struct word *word)
{
    char number[48], *end = NULL;
    if (word->length == 0 || word->length >= sizeof number)
        return NAN;
    memcpy(number, word->text, word->length);
    number[word->length] = '\0';
    double value = strtod(number, &end);
    return *end || !isfinite(value) || value < 0 ? NAN : value;
}

static int64_t time_of(const struct word *word)
{
    int64_t ns = 0;
    bool is_time = hc_text_us_to_ns(word->text, word->length, &ns) == HC_TEXT_OK && ns >= 0;
    return is_time ? ns : HC_MISSING_I64;
}

static void put_place(const struct hc_table *to, size_t row, const struct word *words,
                      size_t column)
{
    int64_t wrong = HC_MISSING_I64;
    if (!is_whole(&words[3], &wrong) || wrong < 0)
        wrong = HC_MISSING_I64;
    hc_table_i64(to, column)[row] = time_of(&words[0]);
    hc_table_f64(to, column + 1)[row] = real_of(&words[1]);
    hc_table_f64(to, column + 2)[row] = real_of(&words[2]);
    hc_table_i64(to, column + 3)[row] = wrong;
}

/* A bus bandwidth that is not the algorithm bandwidth times the factor of the operation is of
 * another one. */
static void check_factor(struct nccl_tests *p, const struct hc_table *to, size_t row, int64_t line)
{
    double algobw = hc_table_f64(to, HC_BANDWIDTHS_OUT_ALGOBW_GB_S)[row];
    double busbw = hc_table_f64(to, HC_BANDWIDTHS_OUT_BUSBW_GB_S)[row];
    if (p->has_warned || p->n_ranks < 1 || !(algobw >= 1))
        return;
    double factor = hc_collective_bus_factor(p->op, p->n_ranks);
    if (fabs(busbw - algobw * factor) <= 0.02 + 0.02 * busbw)
        return;
    p->has_warned = true;
    hc_warn("'%s': line %lld: the bus bandwidth is %.3f of the algorithm bandwidth, that of %s "
            "among %d ranks is %.3f: is it the table of another operation?",
            p->source->name, (long long)line, busbw / algobw, p->op, (int)p->n_ranks, factor);
}

/* Type, and what may stand between it and the times: how elements are reduced, and the root. */
static enum hc_status put_kind(struct nccl_tests *p, const struct hc_table *to, size_t row,
                               const struct words *words, struct hc_error *err)
{
    size_t n = words->n - p->n_places * PLACE_WORDS;
    int64_t root = HC_MISSING_I64;
    int32_t *redop = &hc_table_i32(to, HC_BANDWIDTHS_REDOP)[row];
    *redop = HC_MISSING_I32;
    hc_table_i32(to, HC_BANDWIDTHS_ROOT)[row] = HC_MISSING_I32;
    for (size_t i = 3; i < n; i++) {
        const struct word *word = &words->list[i];
        if (p->has_root && is_whole(word, &root)) {
            if (root >= 0 && root < INT32_MAX)
                hc_table_i32(to, HC_BANDWIDTHS_ROOT)[row] = (int32_t)root;
        } else if (p->has_redop && !memchr(word->text, '\0', word->length) &&
                   hc_text_set_add(p->redops, word->text, word->length, redop, err)) {
            return err->status;
        }
    }
    return hc_text_set_add(p->dtypes, words->list[2].text, words->list[2].length,
                           &hc_table_i32(to, HC_BANDWIDTHS_DTYPE)[row], err);
}

static enum hc_status take_row(struct nccl_tests *p, const struct words *words,
                               const struct hc_line *line, struct hc_table *to,
                               struct hc_row_report *report, struct hc_error *err)
{
    static const struct word none[PLACE_WORDS] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}};
    size_t row = to->n_rows, places = p->n_places * PLACE_WORDS;
    int64_t bytes = 0, count = 0;
    report->rows_read++;
    if (words->n < 3 + places || words->n > 5 + places ||
        memchr(words->list[2].text, '\0', words->list[2].length))
        return hc_row_report_bad(report, HC_BAD_FIELDS, HC_MISSING_I32, err,
                                 "'%s': line %lld: %zu columns, which is no row of its table",
                                 p->source->name, (long long)line->number, words->n);
    if (!is_whole(&words->list[0], &bytes) || !is_whole(&words->list[1], &count) || bytes < 0 ||
        count < 0)
        return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err,
                                 "'%s': line %lld: size and count '%s' are no whole numbers",
                                 p->source->name, (long long)line->number,
                                 hc_printable(words->list[0].text, words->list[0].length).text);
    const struct word *first = &words->list[words->n - places];
    hc_table_i32(to, HC_BANDWIDTHS_TABLE)[row] = p->table;
    hc_table_i32(to, HC_BANDWIDTHS_OP)[row] = p->op_code;
    hc_table_i32(to, HC_BANDWIDTHS_N_RANKS)[row] = p->n_ranks;
    hc_table_i64(to, HC_BANDWIDTHS_BYTES)[row] = bytes;
    hc_table_i64(to, HC_BANDWIDTHS_COUNT)[row] = count;
    put_place(to, row, first, HC_BANDWIDTHS_OUT_TIME_NS);
    put_place(to, row, p->n_places == 2 ? first + PLACE_WORDS : none, HC_BANDWIDTHS_IN_TIME_NS);
    check_factor(p, to, row, line->number);
    if (put_kind(p, to, row, words, err))
        return err->status;
    to->n_rows++;
    return HC_OK;
}

static enum hc_status take_line(struct nccl_tests *p, struct hc_line *line, struct hc_table *to,
                                struct hc_row_report *report, struct hc_error *err)
{
    int64_t number = 0;
    skip_tag(line);
    struct words words = split(line);
    if (words.n == 0)
        return HC_OK;
    if (has_word(&words, "count") && has_word(&words, "type") && has_word(&words, "busbw"))
        return begin_table(p, &words, line, err);
    if (words.list[0].text[0] == '#')
        look_for_rank(p, &words);
    look_for_program(p, &words);
    bool is_row = p->table >= 0 && words.n > 3 && is_whole(&words.list[0], &number) &&
                  is_whole(&words.list[1], &number);
    return is_row ? take_row(p, &words, line, to, report, err) : HC_OK;
}

/* ---- the format ---- */

static void close_table(void *parser)
{
    struct nccl_tests *p = parser;
    if (!p)
        return;
    hc_lines_close(p->lines);
    free(p);
}

static struct hc_text_set *set_of(struct hc_table_names *names, const char *dictionary)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->dictionary[i], dictionary) == 0)
            return &names->set[i];
    return NULL;
}

static enum hc_status open_table(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct nccl_tests *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    *p = (struct nccl_tests){.source = source,
                             .ops = set_of(options->names, "collective"),
                             .dtypes = set_of(options->names, "dtype"),
                             .redops = set_of(options->names, "redop"),
                             .n_ranks = HC_MISSING_I32,
                             .table = -1};
    if (!p->ops || !p->dtypes || !p->redops)
        hc_fail(err, HC_INTERNAL, "the kind of bandwidths lacks a dictionary");
    else
        hc_lines_open(&p->lines, source, err);
    if (err->status) {
        close_table(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct nccl_tests *p = parser;
    struct hc_line line;
    while (!p->is_over && rows->n_rows < rows->capacity) {
        if (hc_lines_next(p->lines, &line, &p->is_over, err))
            return err->status;
        if (!p->is_over && !line.is_long && take_line(p, &line, rows, report, err))
            return err->status;
    }
    if (p->is_over && hc_lines_are_cut(p->lines))
        hc_warn("'%s': the packed data is cut off: what it has is read", p->source->name);
    if (p->is_over && p->table < 0)
        return hc_fail(
            err, HC_BAD_INPUT,
            "'%s' has no table of nccl-tests: no line with 'size count type' and 'busbw'",
            p->source->name);
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct nccl_tests *p = parser;
    return hc_lines_position(p->lines);
}

const struct hc_format hc_format_nccl_tests = {
    .name = "nccl-tests",
    .description = "bandwidths that were measured: the output of nccl-tests",
    .version = 1,
    .table = &hc_bandwidths_def,
    .probe = probe,
    .open = open_table,
    .next_batch = next_batch,
    .position = position,
    .close = close_table,
};
