/* slurm_nodes_json.c - nodes as `scontrol show node --json` and, of Slurm 22.05, `sinfo --json`
 * print them: an object whose member "nodes" is an array, an object a node. Later versions write
 * states as a list, and numbers as objects that say whether they are set. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "parsers/io/json_source.h"
#include "parsers/nodes/node_rows.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEXT 65536 /* bytes of the fields of a node that are read */
#define NS_PER_S  ((int64_t)1000000000)

struct nodes_json {
    struct hc_node_builder builder;
    struct hc_json_pull *pull;
    bool in_nodes, is_over;
    int64_t n_nodes; /* begun */
    /* The texts of the node that is being read, one behind the other. */
    char text[MOST_TEXT + 64];
    size_t length;
    bool is_long;
};

/* Members of a node that are read. A state is put together from two of them. */
enum member {
    OTHER,
    STATE,
    FLAGS,
    REASON_AT,
    FIELD /* of a row, as it is */
};

static const struct {
    const char *name;
    enum member member;
    enum hc_node_field field;
} members[] = {
    {"name", FIELD, HC_NODE_FIELD_NODE},
    {"state", STATE, HC_NODE_FIELD_NONE},
    {"state_flags", FLAGS, HC_NODE_FIELD_NONE},
    {"reason", FIELD, HC_NODE_FIELD_REASON},
    {"reason_set_by_user", FIELD, HC_NODE_FIELD_USER},
    {"reason_changed_at", REASON_AT, HC_NODE_FIELD_NONE},
    {"tres", FIELD, HC_NODE_FIELD_TRES},
    {"tres_used", FIELD, HC_NODE_FIELD_TRES_USED},
    {"gres", FIELD, HC_NODE_FIELD_GRES},
    {"gres_used", FIELD, HC_NODE_FIELD_GRES_USED},
    {"cpus", FIELD, HC_NODE_FIELD_CPUS},
    {"partitions", FIELD, HC_NODE_FIELD_PARTITIONS},
};
#define N_MEMBERS (sizeof members / sizeof *members)

static bool is(const struct hc_pull_token *token, const char *word)
{
    return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

static bool is_scalar(const struct hc_pull_token *token)
{
    return token->kind == HC_PULL_STRING || token->kind == HC_PULL_NUMBER;
}

/* ---- values ---- */

/* Append a value to the texts of the node; with a separator where some of its list are there. */
static void add_text(struct nodes_json *p, const struct hc_pull_token *token, char separator,
                     size_t begin)
{
    if (!is_scalar(token))
        return;
    bool is_next = p->length > begin;
    if (token->length + is_next > MOST_TEXT - p->length) {
        p->is_long = true;
        return;
    }
    if (is_next)
        p->text[p->length++] = separator;
    memcpy(p->text + p->length, token->text, token->length);
    p->length += token->length;
}

/* {"set": true, "infinite": false, "number": 16} */
static enum hc_status read_number(struct nodes_json *p, size_t begin, struct hc_error *err)
{
    bool is_set = true;
    for (;;) {
        struct hc_pull_token token;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind != HC_PULL_KEY)
            break;
        bool is_number = is(&token, "number"), says_set = is(&token, "set");
        if (!is_number && !says_set) {
            if (hc_pull_skip_value(p->pull, err))
                return err->status;
            continue;
        }
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (is_number)
            add_text(p, &token, ' ', begin);
        is_set &= token.kind != HC_PULL_FALSE || !says_set;
        if ((token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY) &&
            hc_pull_skip_rest(p->pull, err))
            return err->status;
    }
    if (!is_set)
        p->length = begin;
    return HC_OK;
}

/* The text of the value that comes next: of a list, its members with the separator between. */
static enum hc_status read_value(struct nodes_json *p, char separator, struct hc_span *text,
                                 struct hc_error *err)
{
    struct hc_pull_token token;
    size_t begin = p->length;
    if (hc_pull_next(p->pull, &token, err))
        return err->status;
    if (token.kind == HC_PULL_OBJECT) {
        if (read_number(p, begin, err))
            return err->status;
    } else if (token.kind == HC_PULL_ARRAY) {
        for (;;) {
            if (hc_pull_next(p->pull, &token, err))
                return err->status;
            if (token.kind == HC_PULL_ARRAY_END)
                break;
            if ((token.kind == HC_PULL_OBJECT || token.kind == HC_PULL_ARRAY) &&
                hc_pull_skip_rest(p->pull, err))
                return err->status;
            add_text(p, &token, separator, begin);
        }
    } else {
        add_text(p, &token, separator, begin);
    }
    *text = (struct hc_span){p->text + begin, p->length - begin};
    return HC_OK;
}

/* ---- a node ---- */

/* What is said of the state, in two members that come in any order. */
struct state_texts {
    struct hc_span base, flags;
};

static const char *put_member(struct nodes_json *p, struct hc_node_row *row,
                              struct state_texts *state, size_t at, struct hc_span text)
{
    int64_t seconds = HC_MISSING_I64;
    switch (members[at].member) {
    case STATE:
        state->base = text;
        break;
    case FLAGS:
        state->flags = text;
        break;
    case REASON_AT:
        if (hc_slurm_count(text, &seconds) == HC_SLURM_WRONG || seconds > INT64_MAX / NS_PER_S)
            return "'reason_changed_at' is no time";
        if (seconds != HC_MISSING_I64 && seconds > 0)
            row->reason_ns = seconds * NS_PER_S;
        break;
    case FIELD:
        return hc_node_field_put(&p->builder, row, members[at].field, text);
    case OTHER:
        break;
    }
    return NULL;
}

/* The members of a node, to its end; *wrong: what is wrong with one of them. */
static enum hc_status read_members(struct nodes_json *p, struct hc_node_row *row,
                                   struct state_texts *state, const char **wrong,
                                   struct hc_error *err)
{
    for (;;) {
        struct hc_pull_token token;
        struct hc_span text = {NULL, 0};
        size_t at = 0;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        if (token.kind != HC_PULL_KEY)
            return HC_OK;
        while (at < N_MEMBERS && !is(&token, members[at].name))
            at++;
        if (at == N_MEMBERS) {
            if (hc_pull_skip_value(p->pull, err))
                return err->status;
            continue;
        }
        char separator = members[at].member == FIELD ? ',' : '+';
        if (read_value(p, separator, &text, err))
            return err->status;
        const char *why = put_member(p, row, state, at, text);
        *wrong = *wrong ? *wrong : why;
    }
}

/* "idle" and "DRAIN" are what the text form writes as IDLE+DRAIN. */
static const char *put_state(struct nodes_json *p, struct hc_node_row *row,
                             const struct state_texts *state)
{
    size_t begin = p->length, n = state->base.length + state->flags.length + 1;
    if (state->base.length == 0)
        return NULL;
    if (n > MOST_TEXT - p->length) {
        p->is_long = true;
        return NULL;
    }
    memcpy(p->text + p->length, state->base.text, state->base.length);
    p->length += state->base.length;
    if (state->flags.length) {
        p->text[p->length++] = '+';
        memcpy(p->text + p->length, state->flags.text, state->flags.length);
        p->length += state->flags.length;
    }
    struct hc_span text = {p->text + begin, p->length - begin};
    return hc_node_field_put(&p->builder, row, HC_NODE_FIELD_STATE, text);
}

static enum hc_status take_node(struct nodes_json *p, struct hc_table *rows,
                                struct hc_row_report *report, struct hc_error *err)
{
    struct hc_node_row row = hc_node_row_none;
    struct state_texts state = {{NULL, 0}, {NULL, 0}};
    const char *wrong = NULL;
    row.line = ++p->n_nodes;
    row.how = HC_NODE_SNAPSHOT;
    report->rows_read++;
    p->length = 0;
    p->is_long = false;
    memset(p->text, 0, sizeof p->text);
    if (read_members(p, &row, &state, &wrong, err))
        return err->status;
    if (!wrong)
        wrong = put_state(p, &row, &state);
    if (p->is_long)
        wrong = "it takes more than 65,536 bytes";
    if (!wrong && (row.node.length == 0 || !row.has_state))
        wrong = "it has no 'name', or no 'state'";
    if (wrong)
        return hc_row_report_bad(report, HC_BAD_NUMBER, HC_MISSING_I32, err, "node %lld: %s",
                                 (long long)p->n_nodes, wrong);
    return hc_node_row_put(&p->builder, &row, rows, err);
}

/* ---- the document ---- */

/* Go on to the next node, over all that is no node. */
static enum hc_status find_node(struct nodes_json *p, struct hc_error *err)
{
    for (;;) {
        struct hc_pull_token token;
        if (hc_pull_next(p->pull, &token, err))
            return err->status;
        p->is_over = token.kind == HC_PULL_END;
        if (p->is_over || (p->in_nodes && token.kind == HC_PULL_OBJECT))
            return HC_OK;
        if (token.kind == HC_PULL_KEY) {
            p->in_nodes = is(&token, "nodes");
            if (!p->in_nodes && hc_pull_skip_value(p->pull, err))
                return err->status;
        } else if (p->in_nodes && token.kind == HC_PULL_ARRAY_END) {
            p->in_nodes = false;
        }
    }
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    size_t at = 0;
    (void)path;
    while (at < length && (head[at] == ' ' || (head[at] >= '\t' && head[at] <= '\r')))
        at++;
    bool has_nodes = memmem(head, length, "\"nodes\"", 7);
    bool is_slurm =
        memmem(head, length, "\"slurmd_version\"", 16) ||
        memmem(head, length, "\"state_flags\"", 13) ||
        memmem(head, length, "\"slurmd_start_time\"", 19) ||
        memmem(head, length, "\"next_state_after_reboot\"", 25) ||
        (memmem(head, length, "\"gres_used\"", 11) && memmem(head, length, "\"partitions\"", 12));
    return at < length && head[at] == '{' && has_nodes && is_slurm ? 88 : 0;
}

static void close_nodes(void *parser)
{
    struct nodes_json *p = parser;
    if (!p)
        return;
    hc_pull_close(p->pull);
    free(p);
}

static enum hc_status open_nodes(void **parser, const struct hc_source *source,
                                 const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct nodes_json *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->builder = (struct hc_node_builder){
        .source = source, .zone = options->zone, .names = options->names, .at_ns = HC_MISSING_I64};
    if (hc_pull_open_source(&p->pull, source, err)) {
        free(p);
        return err->status;
    }
    hc_node_snapshot_of_file(&p->builder);
    *parser = p;
    return HC_OK;
}

static enum hc_status next_batch(void *parser, struct hc_table *rows, struct hc_row_report *report,
                                 struct hc_error *err)
{
    struct nodes_json *p = parser;
    while (!p->is_over && rows->n_rows < rows->capacity) {
        if (find_node(p, err))
            return err->status;
        if (!p->is_over && take_node(p, rows, report, err))
            return err->status;
    }
    return HC_OK;
}

static int64_t position(const void *parser)
{
    const struct nodes_json *p = parser;
    return hc_pull_position(p->pull);
}

const struct hc_format hc_format_slurm_nodes_json = {
    .name = "slurm-nodes-json",
    .description = "nodes at an instant, as scontrol show node --json prints them",
    .recipe = "scontrol show node --json >nodes-$(date -u +%Y%m%dT%H%M%SZ).json\n"
              "The time in the name is that of the snapshot. Of Slurm 22.05, 'sinfo --json'\n"
              "prints the same.\n",
    .version = 1,
    .table = &hc_node_states_def,
    .probe = probe,
    .open = open_nodes,
    .next_batch = next_batch,
    .position = position,
    .close = close_nodes,
};
