#include "parsers/collectives/pickle_reader.h"

#include "core/base/memory.h"
#include "parsers/collectives/pickle_opcodes.h"
#include "parsers/io/byte_reader.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES HC_BUFFER_SIZE((size_t)1 << 18)
#define MOST_DEPTH   (1U << 24) /* values on the stack */

struct hc_pickle_reader {
    const struct hc_source *source;
    const struct hc_dump_taker *taker;
    struct hc_byte_reader *bytes;
    unsigned char *buffer; /* BUFFER_BYTES */
    size_t start, end;
    int64_t before; /* bytes of the pickle before the buffer */
    int64_t opcode; /* byte where the current one is */
    bool is_cut;

    size_t n_stack, stack_capacity;
    struct hc_dump_value *stack;
    size_t n_marks, marks_capacity;
    size_t *marks; /* heights of the stack */
    size_t n_memo, memo_capacity;
    struct hc_dump_value *memo;
    size_t n_kept; /* raised when a list of the memo is there, or gets more: its memory stays */

    /* Where each dictionary on the stack that is being filled began in scratch. */
    size_t n_begun, begun_capacity;
    struct begun {
        struct hc_dump_list *list;
        struct hc_dump_mark mark;
        size_t n_kept;
    } * begun;
    struct hc_dump_pool texts;   /* of the memo */
    struct hc_dump_pool scratch; /* lists and texts that nothing refers to */
};

static enum hc_status damaged(const struct hc_pickle_reader *p, struct hc_error *err,
                              const char *what)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld of the pickle: %s", p->source->name,
                   (long long)p->opcode, what);
}

/* ---- bytes ---- */

static enum hc_status fill_buffer(struct hc_pickle_reader *p, size_t n, struct hc_error *err)
{
    while (p->end - p->start < n) {
        memmove(p->buffer, p->buffer + p->start, p->end - p->start);
        p->before += (int64_t)p->start;
        p->end -= p->start;
        p->start = 0;
        size_t got = 0;
        if (hc_byte_reader_read(p->bytes, p->buffer + p->end, BUFFER_BYTES - p->end, &got, err))
            return err->status;
        if (got == 0) {
            p->is_cut = true;
            return HC_FINDING;
        }
        p->end += got;
    }
    return HC_OK;
}

/* At least n bytes in the buffer; sets is_cut and returns HC_FINDING where the pickle ends before.
 */
static inline enum hc_status need(struct hc_pickle_reader *p, size_t n, struct hc_error *err)
{
    return p->end - p->start >= n ? HC_OK : fill_buffer(p, n, err);
}

static inline uint64_t little_endian(const unsigned char *bytes, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* The n bytes (at most 8) that follow, as one number. */
static inline enum hc_status argument(struct hc_pickle_reader *p, size_t n, uint64_t *value,
                                      struct hc_error *err)
{
    enum hc_status status = need(p, n, err);
    if (status)
        return status;
    *value = little_endian(p->buffer + p->start, n);
    p->start += n;
    return HC_OK;
}

/* ---- the stack ---- */

static inline enum hc_status push(struct hc_pickle_reader *p, struct hc_dump_value value,
                                  struct hc_error *err)
{
    if (p->n_stack == p->stack_capacity) {
        if (p->n_stack >= MOST_DEPTH)
            return damaged(p, err, "too many values at once");
        if (hc_reserve(&p->stack, &p->stack_capacity, p->n_stack + 1, sizeof *p->stack, err))
            return err->status;
    }
    p->stack[p->n_stack++] = value;
    return HC_OK;
}

static inline enum hc_status push_whole(struct hc_pickle_reader *p, enum hc_dump_kind kind,
                                        int64_t whole, struct hc_error *err)
{
    return push(p, (struct hc_dump_value){.kind = (uint8_t)kind, .whole = whole}, err);
}

/* The height that values belong to the innermost container from. */
static size_t floor_of(const struct hc_pickle_reader *p)
{
    return p->n_marks ? p->marks[p->n_marks - 1] : 0;
}

static enum hc_status pop_mark(struct hc_pickle_reader *p, size_t *height, struct hc_error *err)
{
    if (p->n_marks == 0)
        return damaged(p, err, "an end of values without their beginning");
    *height = p->marks[--p->n_marks];
    return HC_OK;
}

static enum hc_status push_mark(struct hc_pickle_reader *p, struct hc_error *err)
{
    if (hc_reserve(&p->marks, &p->marks_capacity, p->n_marks + 1, sizeof *p->marks, err))
        return err->status;
    p->marks[p->n_marks++] = p->n_stack;
    return HC_OK;
}

/* ---- texts ---- */

/* A text that is longer than the buffer. Its room grows with what was read: the length that the
 * pickle gives may be any. */
static enum hc_status long_text(struct hc_pickle_reader *p, size_t length, const char **result,
                                struct hc_error *err)
{
    char *text = NULL;
    for (size_t done = 0, room = 0; done < length;) {
        if (done == room) {
            room = length - done < done + BUFFER_BYTES ? length : 2 * done + BUFFER_BYTES;
            char *more = hc_dump_take(&p->scratch, room + 1, err);
            if (!more)
                return err->status;
            if (done)
                memcpy(more, text, done);
            text = more;
        }
        enum hc_status status = need(p, 1, err);
        if (status)
            return status;
        size_t here = p->end - p->start < room - done ? p->end - p->start : room - done;
        memcpy(text + done, p->buffer + p->start, here);
        p->start += here;
        done += here;
        text[done] = '\0';
    }
    *result = text;
    return HC_OK;
}

static enum hc_status push_text(struct hc_pickle_reader *p, size_t n_bytes, struct hc_error *err)
{
    uint64_t length = 0;
    struct hc_dump_value value;
    enum hc_status status = argument(p, n_bytes, &length, err);
    if (status)
        return status;
    if (length >= HC_DUMP_MOST_BYTES || (int64_t)length < 0)
        return damaged(p, err, "a text is longer than any of a dump");
    if (length <= BUFFER_BYTES) {
        status = need(p, length, err);
        if (status)
            return status;
        const char *text = (const char *)p->buffer + p->start;
        p->start += length;
        return hc_dump_text(&p->scratch, text, length, &value, err) ? err->status
                                                                    : push(p, value, err);
    }
    const char *text = NULL;
    status = long_text(p, length, &text, err);
    if (status)
        return status;
    value = (struct hc_dump_value){.kind = HC_DUMP_TEXT, .size = (uint32_t)length, .text = text};
    return push(p, value, err);
}

/* ---- numbers ---- */

/* LONG1: two's complement of any length; what has more than eight bytes no column can hold. */
static enum hc_status push_long(struct hc_pickle_reader *p, struct hc_error *err)
{
    uint64_t n = 0;
    enum hc_status status = argument(p, 1, &n, err);
    status = status ? status : need(p, n, err);
    if (status)
        return status;
    const unsigned char *bytes = p->buffer + p->start;
    p->start += n;
    if (n > 8)
        return push_whole(p, HC_DUMP_OPAQUE, 0, err);
    uint64_t value = little_endian(bytes, n);
    if (n > 0 && n < 8 && bytes[n - 1] & 0x80)
        value |= ~(uint64_t)0 << 8 * n;
    return push_whole(p, HC_DUMP_INT, (int64_t)value, err);
}

static enum hc_status push_int(struct hc_pickle_reader *p, size_t n_bytes, struct hc_error *err)
{
    uint64_t value = 0;
    enum hc_status status = argument(p, n_bytes, &value, err);
    if (status)
        return status;
    int64_t whole = n_bytes == 4 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
    return push_whole(p, HC_DUMP_INT, whole, err);
}

static enum hc_status push_float(struct hc_pickle_reader *p, struct hc_error *err)
{
    struct hc_dump_value value = {.kind = HC_DUMP_FLOAT};
    uint64_t bits = 0;
    enum hc_status status = argument(p, 8, &bits, err);
    if (status)
        return status;
    bits = __builtin_bswap64(bits);
    memcpy(&value.real, &bits, sizeof bits);
    return push(p, value, err);
}

/* ---- the memo ---- */

static enum hc_status put_memo(struct hc_pickle_reader *p, uint64_t index, struct hc_error *err)
{
    if (p->n_stack <= floor_of(p))
        return damaged(p, err, "nothing there to be remembered");
    if (index > p->n_memo)
        return damaged(p, err, "values are remembered out of their order");
    if (hc_reserve(&p->memo, &p->memo_capacity, index + 1, sizeof *p->memo, err))
        return err->status;
    struct hc_dump_value *top = &p->stack[p->n_stack - 1];
    if (top->kind == HC_DUMP_TEXT && hc_dump_text(&p->texts, top->text, top->size, top, err))
        return err->status;
    if (top->kind == HC_DUMP_LIST || top->kind == HC_DUMP_DICT) {
        top->list->is_kept = true;
        p->n_kept++;
    }
    p->memo[index] = *top;
    p->n_memo = index == p->n_memo ? index + 1 : p->n_memo;
    return HC_OK;
}

static enum hc_status get_memo(struct hc_pickle_reader *p, size_t n_bytes, struct hc_error *err)
{
    uint64_t index = 0;
    enum hc_status status = argument(p, n_bytes, &index, err);
    if (status)
        return status;
    if (index >= p->n_memo)
        return damaged(p, err, "a reference to what was not there before");
    return push(p, p->memo[index], err);
}

static enum hc_status put_numbered(struct hc_pickle_reader *p, size_t n_bytes, struct hc_error *err)
{
    uint64_t index = 0;
    enum hc_status status = argument(p, n_bytes, &index, err);
    return status ? status : put_memo(p, index, err);
}

/* ---- lists and dictionaries ---- */

static enum hc_status push_list(struct hc_pickle_reader *p, enum hc_dump_kind kind,
                                struct hc_error *err)
{
    struct hc_dump_mark mark = hc_dump_mark(&p->scratch);
    struct hc_dump_value value;
    if (hc_dump_list(&p->scratch, kind, &value, err))
        return err->status;
    if (kind == HC_DUMP_DICT) {
        if (hc_reserve(&p->begun, &p->begun_capacity, p->n_begun + 1, sizeof *p->begun, err))
            return err->status;
        p->begun[p->n_begun++] = (struct begun){value.list, mark, p->n_kept};
    }
    return push(p, value, err);
}

/* The values from height on become a tuple. */
static enum hc_status push_tuple(struct hc_pickle_reader *p, size_t height, struct hc_error *err)
{
    struct hc_dump_value value;
    if (height > p->n_stack || height < floor_of(p))
        return damaged(p, err, "a tuple of more values than there are");
    if (hc_dump_list(&p->scratch, HC_DUMP_LIST, &value, err) ||
        hc_dump_append(&p->scratch, value.list, p->stack + height, p->n_stack - height, err))
        return err->status;
    p->n_stack = height;
    return push(p, value, err);
}

/* What the values from height on are appended to: the container below them. */
static enum hc_status container_below(struct hc_pickle_reader *p, size_t height,
                                      enum hc_dump_kind kind, struct hc_dump_value **container,
                                      struct hc_error *err)
{
    if (height > p->n_stack || height <= floor_of(p) || p->stack[height - 1].kind != (uint8_t)kind)
        return damaged(p, err,
                       kind == HC_DUMP_LIST ? "values for a list that is not there"
                                            : "values for a dictionary that is not there");
    *container = &p->stack[height - 1];
    return HC_OK;
}

/* Move the values from height on into a list, or as pairs into a dictionary. */
static enum hc_status fill(struct hc_pickle_reader *p, struct hc_dump_list *list, size_t height,
                           struct hc_error *err)
{
    p->n_kept += list->is_kept;
    size_t n = p->n_stack - height;
    p->n_stack = height;
    return hc_dump_append(&p->scratch, list, p->stack + height, n, err);
}

static enum hc_status append(struct hc_pickle_reader *p, size_t height, struct hc_error *err)
{
    struct hc_dump_value *list = NULL;
    if (container_below(p, height, HC_DUMP_LIST, &list, err))
        return err->status;
    return fill(p, list->list, height, err);
}

/* Give back what the values of a dictionary took, unless something in them may be referred to. */
static void forget(struct hc_pickle_reader *p, const struct hc_dump_list *list)
{
    while (p->n_begun && p->begun[p->n_begun - 1].list != list)
        p->n_begun--;
    if (!p->n_begun)
        return;
    const struct begun *begun = &p->begun[--p->n_begun];
    if (begun->n_kept == p->n_kept)
        hc_dump_release(&p->scratch, begun->mark);
}

static enum hc_status set_items(struct hc_pickle_reader *p, size_t height, bool *was_taken,
                                struct hc_error *err)
{
    struct hc_dump_value *dict = NULL;
    size_t n = p->n_stack - height;
    if (container_below(p, height, HC_DUMP_DICT, &dict, err))
        return err->status;
    if (n % 2)
        return damaged(p, err, "a key without its value");
    if (dict->list->n == 0 &&
        p->taker->take(p->taker->context, p->stack + height, n, was_taken, err))
        return err->status;
    if (!*was_taken)
        return fill(p, dict->list, height, err);
    p->n_stack = height;
    forget(p, dict->list);
    *dict = (struct hc_dump_value){.kind = HC_DUMP_OPAQUE};
    return HC_OK;
}

/* ---- opcodes ---- */

static enum hc_status refuse(const struct hc_pickle_reader *p, unsigned char opcode,
                             struct hc_error *err)
{
    const char *name = hc_pickle_opcode_name(opcode);
    if (!name)
        return hc_fail(err, HC_BAD_INPUT, "'%s': byte %lld of the pickle: 0x%02x is no opcode",
                       p->source->name, (long long)p->opcode, opcode);
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s': byte %lld of the pickle: opcode %s is refused: only plain values are "
                   "read, nothing is run",
                   p->source->name, (long long)p->opcode, name);
}

static enum hc_status check_protocol(struct hc_pickle_reader *p, struct hc_error *err)
{
    uint64_t protocol = 0;
    enum hc_status status = argument(p, 1, &protocol, err);
    if (status || (protocol >= 2 && protocol <= 5))
        return status;
    return damaged(p, err, "the protocol is none of 2 to 5");
}

static enum hc_status scalar(struct hc_pickle_reader *p, unsigned char opcode, struct hc_error *err)
{
    uint64_t frame = 0;
    switch (opcode) {
    case HC_PICKLE_NONE:
        return push_whole(p, HC_DUMP_NONE, 0, err);
    case HC_PICKLE_NEWTRUE:
        return push_whole(p, HC_DUMP_BOOL, 1, err);
    case HC_PICKLE_NEWFALSE:
        return push_whole(p, HC_DUMP_BOOL, 0, err);
    case HC_PICKLE_BININT:
        return push_int(p, 4, err);
    case HC_PICKLE_BININT1:
        return push_int(p, 1, err);
    case HC_PICKLE_BININT2:
        return push_int(p, 2, err);
    case HC_PICKLE_LONG1:
        return push_long(p, err);
    case HC_PICKLE_BINFLOAT:
        return push_float(p, err);
    case HC_PICKLE_BINUNICODE:
        return push_text(p, 4, err);
    case HC_PICKLE_SHORT_BINUNICODE:
        return push_text(p, 1, err);
    case HC_PICKLE_BINUNICODE8:
        return push_text(p, 8, err);
    case HC_PICKLE_PROTO:
        return check_protocol(p, err);
    case HC_PICKLE_FRAME:
        return argument(p, 8, &frame, err);
    default:
        return refuse(p, opcode, err);
    }
}

static enum hc_status tuple_of(struct hc_pickle_reader *p, size_t n, struct hc_error *err)
{
    return push_tuple(p, p->n_stack < n ? SIZE_MAX : p->n_stack - n, err);
}

/* The end of values that a mark begins. */
static enum hc_status close_mark(struct hc_pickle_reader *p, unsigned char opcode, bool *was_taken,
                                 struct hc_error *err)
{
    size_t height = 0;
    if (pop_mark(p, &height, err))
        return err->status;
    return opcode == HC_PICKLE_TUPLE     ? push_tuple(p, height, err)
           : opcode == HC_PICKLE_APPENDS ? append(p, height, err)
                                         : set_items(p, height, was_taken, err);
}

static enum hc_status carry_out(struct hc_pickle_reader *p, unsigned char opcode, bool *was_taken,
                                struct hc_error *err)
{
    switch (opcode) {
    case HC_PICKLE_BINGET:
        return get_memo(p, 1, err);
    case HC_PICKLE_LONG_BINGET:
        return get_memo(p, 4, err);
    case HC_PICKLE_BINPUT:
        return put_numbered(p, 1, err);
    case HC_PICKLE_LONG_BINPUT:
        return put_numbered(p, 4, err);
    case HC_PICKLE_MEMOIZE:
        return put_memo(p, p->n_memo, err);
    case HC_PICKLE_MARK:
        return push_mark(p, err);
    case HC_PICKLE_EMPTY_DICT:
        return push_list(p, HC_DUMP_DICT, err);
    case HC_PICKLE_EMPTY_LIST:
        return push_list(p, HC_DUMP_LIST, err);
    case HC_PICKLE_EMPTY_TUPLE:
        return tuple_of(p, 0, err);
    case HC_PICKLE_TUPLE1:
        return tuple_of(p, 1, err);
    case HC_PICKLE_TUPLE2:
        return tuple_of(p, 2, err);
    case HC_PICKLE_TUPLE3:
        return tuple_of(p, 3, err);
    case HC_PICKLE_APPEND:
        return append(p, p->n_stack - 1, err);
    case HC_PICKLE_SETITEM:
        return set_items(p, p->n_stack - 2, was_taken, err);
    case HC_PICKLE_APPENDS:
    case HC_PICKLE_SETITEMS:
    case HC_PICKLE_TUPLE:
        return close_mark(p, opcode, was_taken, err);
    default:
        return scalar(p, opcode, err);
    }
}

static enum hc_status finish(struct hc_pickle_reader *p, struct hc_pickle_end *end,
                             struct hc_error *err)
{
    if (p->n_stack != 1 || p->n_marks)
        return damaged(p, err, "the end, with values that belong to nothing");
    end->is_over = true;
    end->value = p->stack[0];
    return HC_OK;
}

/* The dump as far as it goes: keys of the outermost dictionary whose values are whole. */
static enum hc_status finish_cut(struct hc_pickle_reader *p, struct hc_pickle_end *end,
                                 struct hc_error *err)
{
    *end = (struct hc_pickle_end){.is_over = true, .is_cut = true};
    if (hc_dump_list(&p->scratch, HC_DUMP_DICT, &end->value, err))
        return err->status;
    for (size_t i = p->n_marks ? p->marks[0] : p->n_stack;
         i + 1 < p->n_stack && p->stack[i].kind == HC_DUMP_TEXT; i += 2)
        if (hc_dump_append(&p->scratch, end->value.list, p->stack + i, 2, err))
            return err->status;
    return HC_OK;
}

enum hc_status hc_pickle_run(struct hc_pickle_reader *p, struct hc_pickle_end *end,
                             struct hc_error *err)
{
    *end = (struct hc_pickle_end){0};
    for (bool was_taken = false; !was_taken;) {
        enum hc_status status = need(p, 1, err);
        p->opcode = p->before + (int64_t)p->start;
        unsigned char opcode = p->buffer[p->start];
        if (!status && opcode == HC_PICKLE_STOP)
            return finish(p, end, err);
        if (!status) {
            p->start++;
            status = carry_out(p, opcode, &was_taken, err);
        }
        if (p->is_cut)
            return finish_cut(p, end, err);
        if (status)
            return status;
    }
    return HC_OK;
}

enum hc_status hc_pickle_open(struct hc_pickle_reader **reader, const struct hc_source *source,
                              const struct hc_dump_taker *taker, struct hc_error *err)
{
    *reader = NULL;
    struct hc_pickle_reader *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->source = source;
    p->taker = taker;
    p->buffer = hc_new_array(BUFFER_BYTES, 1, err);
    if (!p->buffer || hc_reserve(&p->stack, &p->stack_capacity, 1, sizeof *p->stack, err) ||
        hc_byte_reader_open(&p->bytes, source, err)) {
        hc_pickle_close(p);
        return err->status;
    }
    *reader = p;
    return HC_OK;
}

void hc_pickle_close(struct hc_pickle_reader *p)
{
    if (!p)
        return;
    hc_byte_reader_close(p->bytes);
    free(p->buffer);
    free(p->stack);
    free(p->marks);
    free(p->memo);
    free(p->begun);
    hc_dump_pool_fini(&p->texts);
    hc_dump_pool_fini(&p->scratch);
    free(p);
}

int64_t hc_pickle_position(const struct hc_pickle_reader *p)
{
    return hc_byte_reader_position(p->bytes);
}
