#include "parsers/failures/pattern_file.h"

#include "core/base/memory.h"
#include "core/base/printable.h"

#include <string.h>

typedef struct hc_event_text text;

static const char *const key_words[HC_N_PATTERN_KEYS] = {
    [HC_PATTERN_CLASS] = "class",     [HC_PATTERN_EFFECT] = "effect", [HC_PATTERN_TELLS] = "tells",
    [HC_PATTERN_NAME] = "name",       [HC_PATTERN_UNIT] = "unit",     [HC_PATTERN_PHASE] = "phase",
    [HC_PATTERN_LITERAL] = "literal", [HC_PATTERN_REGEX] = "regex",
};

struct reading {
    struct hc_pattern_section section;
    bool is_open; /* a section was begun */
    size_t n;
    int64_t line;
    const char *line_start;
    hc_pattern_take *take;
    void *context;
};

static enum hc_status wrong(const struct reading *r, const char *at, const char *what, text value,
                            struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "%s:%lld:%lld: %s '%s'", r->section.file, (long long)r->line,
                   (long long)(at - r->line_start + 1), what,
                   hc_printable(value.text, value.length).text);
}

static text trim(text from)
{
    while (from.length && (*from.text == ' ' || *from.text == '\t'))
        from = (text){from.text + 1, from.length - 1};
    while (from.length && strchr(" \t\r", from.text[from.length - 1]))
        from.length--;
    return from;
}

bool hc_pattern_has(const struct hc_pattern_section *section, enum hc_pattern_key key)
{
    return section->value[key].line > 0;
}

enum hc_status hc_pattern_wrong(const struct hc_pattern_section *section, enum hc_pattern_key key,
                                const char *what, struct hc_error *err)
{
    const struct hc_pattern_value *value = &section->value[key];
    return hc_fail(err, HC_BAD_INPUT, "%s:%lld:%lld: %s '%s'", section->file,
                   (long long)value->line, (long long)value->column, what,
                   hc_printable(value->text.text, value->text.length).text);
}

enum hc_status hc_pattern_lacks(const struct hc_pattern_section *section, enum hc_pattern_key key,
                                struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "%s:%lld:1: pattern '%s' has no %s", section->file,
                   (long long)section->line,
                   hc_printable(section->name.text, section->name.length).text, key_words[key]);
}

char *hc_pattern_title(const struct hc_pattern_section *section, struct hc_error *err)
{
    return hc_new_text(err, "pattern [%s] of %s",
                       hc_printable(section->name.text, section->name.length).text, section->file);
}

enum hc_status hc_pattern_compile(const struct hc_pattern_section *section,
                                  struct hc_text_pattern **regex, struct hc_error *err)
{
    const struct hc_pattern_value *value = &section->value[HC_PATTERN_REGEX];
    const struct hc_matched expression = {value->text.text, value->text.length};
    struct hc_pattern_mistake mistake = {0};
    struct hc_error why = {0};
    if (hc_text_pattern_make(regex, expression, &mistake, &why) == HC_BAD_INPUT)
        return hc_fail(err, HC_BAD_INPUT, "%s:%lld:%lld: regex: %s", section->file,
                       (long long)value->line, (long long)(value->column + (int64_t)mistake.offset),
                       *mistake.why ? mistake.why : why.message);
    if (why.status)
        *err = why;
    return why.status;
}

enum hc_status hc_pattern_wrong_group(const struct hc_pattern_section *section, const char *group,
                                      struct hc_error *err)
{
    const struct hc_pattern_value *value = &section->value[HC_PATTERN_REGEX];
    const char *at = memmem(value->text.text, value->text.length, group, strlen(group));
    return hc_fail(err, HC_BAD_INPUT, "%s:%lld:%lld: no column for the group '%s'", section->file,
                   (long long)value->line,
                   (long long)(value->column + (at ? at - value->text.text : 0)),
                   hc_printable(group, strlen(group)).text);
}

/* ---- reading ---- */

static enum hc_status end_section(struct reading *r, struct hc_error *err)
{
    if (!r->is_open)
        return HC_OK;
    r->is_open = false;
    if (!hc_pattern_has(&r->section, HC_PATTERN_LITERAL))
        return hc_pattern_lacks(&r->section, HC_PATTERN_LITERAL, err);
    if (!hc_pattern_has(&r->section, HC_PATTERN_REGEX))
        return hc_pattern_lacks(&r->section, HC_PATTERN_REGEX, err);
    return r->take(&r->section, r->context, err);
}

static enum hc_status begin_section(struct reading *r, text heading, struct hc_error *err)
{
    if (end_section(r, err))
        return err->status;
    if (r->n == HC_MOST_PATTERNS || heading.length < 3 || heading.text[heading.length - 1] != ']')
        return wrong(r, heading.text,
                     r->n == HC_MOST_PATTERNS ? "too many patterns before"
                                              : "not the beginning of a pattern, as '[name]':",
                     heading, err);
    r->n++;
    r->is_open = true;
    r->section = (struct hc_pattern_section){
        .file = r->section.file, .name = {heading.text + 1, heading.length - 2}, .line = r->line};
    return HC_OK;
}

/* Blanks at the ends of a literal count, but for the one behind the sign. */
static enum hc_status set_value(struct reading *r, text key, text value, struct hc_error *err)
{
    size_t k = 0;
    while (k < HC_N_PATTERN_KEYS &&
           (strlen(key_words[k]) != key.length || memcmp(key_words[k], key.text, key.length) != 0))
        k++;
    if (k == HC_N_PATTERN_KEYS)
        return wrong(r, key.text, "unknown key", key, err);
    if (r->section.value[k].line)
        return wrong(r, key.text, "a second", key, err);
    if (k != HC_PATTERN_LITERAL)
        value = trim(value);
    else if (value.length < HC_PATTERN_LEAST_LITERAL)
        return wrong(r, value.text, "fewer than four bytes of literal", value, err);
    r->section.value[k] = (struct hc_pattern_value){value, r->line, value.text - r->line_start + 1};
    return HC_OK;
}

static enum hc_status read_line(struct reading *r, text line, struct hc_error *err)
{
    text bare = trim(line);
    if (bare.length == 0 || *bare.text == '#')
        return HC_OK;
    if (*bare.text == '[')
        return begin_section(r, bare, err);
    const char *sign = memchr(line.text, '=', line.length);
    if (!sign || !r->is_open)
        return wrong(r, bare.text,
                     sign ? "a key before the first pattern:" : "no 'KEY = VALUE':", bare, err);
    text value = {sign + 1, (size_t)(line.text + line.length - sign - 1)};
    if (value.length && *value.text == ' ')
        value = (text){value.text + 1, value.length - 1};
    if (value.length && value.text[value.length - 1] == '\r')
        value.length--;
    return set_value(r, trim((text){line.text, (size_t)(sign - line.text)}), value, err);
}

enum hc_status hc_pattern_text_read(struct hc_pattern_text patterns, hc_pattern_take *take,
                                    void *context, struct hc_error *err)
{
    struct reading r = {.section = {.file = patterns.name}, .take = take, .context = context};
    for (const char *at = patterns.text; at && *at;) {
        size_t length = strcspn(at, "\n");
        r.line++;
        r.line_start = at;
        if (read_line(&r, (text){at, length}, err))
            return err->status;
        at += length + (at[length] == '\n');
    }
    return end_section(&r, err);
}
