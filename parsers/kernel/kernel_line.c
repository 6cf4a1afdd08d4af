#include "parsers/kernel/kernel_line.h"

#include <ctype.h>
#include <string.h>

typedef struct hc_event_text text;

static text drop(text from, size_t n)
{
    return (text){from.text + n, from.length - n};
}

static text skip_blanks(text from)
{
    while (from.length && *from.text == ' ')
        from = drop(from, 1);
    return from;
}

static text word_of(text from)
{
    const char *end = memchr(from.text, ' ', from.length);
    return (text){from.text, end ? (size_t)(end - from.text) : from.length};
}

static bool is(text word, const char *what)
{
    return word.length == strlen(what) && memcmp(word.text, what, word.length) == 0;
}

static bool begins(text word, const char *with)
{
    return word.length >= strlen(with) && memcmp(word.text, with, strlen(with)) == 0;
}

/* "<6>" and, of RFC 5424, the version behind it. */
static text skip_priority(text line, bool *is_5424)
{
    *is_5424 = line.length > 3 && begins(line, "1 ") && isdigit((unsigned char)line.text[2]);
    if (*is_5424) /* kept without the priority */
        return drop(line, 2);
    if (line.length < 3 || *line.text != '<')
        return line;
    size_t n = 1;
    while (n < line.length && n < 5 && line.text[n] >= '0' && line.text[n] <= '9')
        n++;
    if (n == 1 || n == line.length || line.text[n] != '>')
        return line;
    line = drop(line, n + 1);
    *is_5424 = begins(line, "1 ");
    return *is_5424 ? drop(line, 2) : line;
}

/* "kern  :warn  : " of dmesg --decode */
static text skip_facility(text line)
{
    static const char *const facilities[] = {"kern", "user", "daemon", "syslog"};
    for (size_t i = 0; i < sizeof facilities / sizeof *facilities; i++) {
        if (!begins(line, facilities[i]))
            continue;
        text rest = skip_blanks(drop(line, strlen(facilities[i])));
        const char *second =
            rest.length > 1 && *rest.text == ':'
                ? memchr(rest.text + 1, ':', rest.length - 1 < 10 ? rest.length - 1 : 10)
                : NULL;
        if (second)
            return skip_blanks(drop(rest, (size_t)(second - rest.text) + 1));
    }
    return line;
}

/* A tag "kernel:", "nv-hostengine[123]:" is a word that ends in a colon and has none before. */
static bool is_tag(text word)
{
    return word.length > 1 && word.text[word.length - 1] == ':' &&
           !memchr(word.text, ':', word.length - 1);
}

/* What stands behind the tag of the kernel: perhaps seconds since boot, and the message. */
static void take_message(text rest, struct hc_kernel_line *parts)
{
    struct hc_line_stamp since_boot;
    if (rest.length && *rest.text == '[' &&
        hc_line_stamp_read(rest.text, rest.length, &since_boot) &&
        since_boot.kind == HC_STAMP_SINCE_BOOT) {
        rest = drop(rest, since_boot.length);
        parts->is_dmesg = true; /* which no other program writes */
    }
    parts->message = rest;
    parts->is_of_kernel = true;
}

/* Behind the stamp: "host kernel: message", "host NVRM: message", or just a message. */
static void split_syslog(text rest, struct hc_kernel_line *parts)
{
    text host = word_of(rest);
    text further = skip_blanks(drop(rest, host.length));
    text tag = word_of(further);
    text behind = skip_blanks(drop(further, tag.length));
    if (begins(tag, "kern.") && is(word_of(behind), "kernel:")) { /* facility and severity */
        further = behind;
        tag = word_of(behind);
    }
    if (is_tag(host) || !is_tag(tag)) {
        take_message(is(host, "kernel:") ? further : rest, parts);
        return;
    }
    parts->host = host;
    parts->is_syslog = true;
    parts->is_dmesg = is(tag, "kernel:");
    if (parts->is_dmesg)
        take_message(skip_blanks(drop(further, tag.length)), parts);
    else
        parts->message = further;
    parts->is_of_kernel |= begins(tag, "NVRM") || begins(tag, "nvidia-nvswitch");
}

/* "host app procid msgid [structured data] message" */
static void split_5424(text rest, struct hc_kernel_line *parts)
{
    text fields[4];
    for (int i = 0; i < 4; i++) {
        fields[i] = word_of(rest);
        rest = skip_blanks(drop(rest, fields[i].length));
    }
    if (begins(rest, "- ")) {
        rest = drop(rest, 2);
    } else if (rest.length && *rest.text == '[') {
        const char *end = memmem(rest.text, rest.length, "] ", 2);
        rest = end ? drop(rest, (size_t)(end - rest.text) + 2) : rest;
    }
    if (begins(rest, "\xEF\xBB\xBF"))
        rest = drop(rest, 3);
    if (!is(fields[0], "-"))
        parts->host = fields[0];
    take_message(rest, parts);
    parts->is_of_kernel = parts->is_dmesg = is(fields[1], "kernel");
    parts->is_syslog = true;
}

/* Behind a stamp that only dmesg writes, which names no host; journalctl -o short-monotonic, whose
 * stamp is the same, does. */
static void split_dmesg(text rest, struct hc_kernel_line *parts)
{
    text host = word_of(rest), further = skip_blanks(drop(rest, host.length));
    if (is(word_of(further), "kernel:")) {
        parts->host = host;
        rest = skip_blanks(drop(further, strlen("kernel:")));
    }
    take_message(rest, parts);
}

/* Whether no program but dmesg writes a stamp so. */
static bool is_of_dmesg(const struct hc_line_stamp *stamp, text line)
{
    if (stamp->is_enclosed)
        return stamp->kind == HC_STAMP_SINCE_BOOT || !isdigit((unsigned char)line.text[1]);
    return stamp->has_comma && stamp->kind == HC_STAMP_ZONED;
}

void hc_kernel_line_split(struct hc_event_text line, struct hc_kernel_line *parts)
{
    bool is_5424;
    *parts = (struct hc_kernel_line){.message = line};
    text bare = skip_facility(skip_priority(line, &is_5424));
    parts->has_stamp = hc_line_stamp_read(bare.text, bare.length, &parts->stamp);
    if (!parts->has_stamp) {
        take_message(bare, parts);
        return;
    }
    text rest = drop(bare, parts->stamp.length);
    if (begins(rest, "stdout F ") || begins(rest, "stderr F ")) /* by a container engine */
        rest = drop(rest, 9);
    parts->is_dmesg = is_of_dmesg(&parts->stamp, bare) || (bare.length < line.length && !is_5424);
    if (is_5424)
        split_5424(rest, parts);
    else if (is_of_dmesg(&parts->stamp, bare))
        split_dmesg(rest, parts);
    else
        split_syslog(rest, parts);
}

/* ---- the node of a path ---- */

static const char *const log_names[] = {"dmesg",  "kernel",  "kern",   "messages",
                                        "syslog", "journal", "console"};
static const char *const plain_folders[] = {"log", "logs", "var", "tmp", "data", "testdata", "."};

/* Take off what follows the name of a log: ".log", ".1", ".gz", "-20241124". */
static text without_endings(text name)
{
    static const char *const endings[] = {".gz",    ".xz",     ".zst",    ".log", ".txt", ".json",
                                          ".jsonl", ".ndjson", ".decode", ".iso", ".raw"};
    for (bool is_cut = true; is_cut;) {
        size_t n = name.length;
        while (n && isdigit((unsigned char)name.text[n - 1]))
            n--;
        is_cut = n && n < name.length && (name.text[n - 1] == '.' || name.length - n == 8) &&
                 (name.text[n - 1] == '.' || name.text[n - 1] == '-');
        if (is_cut)
            name.length = n - 1;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            size_t length = strlen(endings[i]);
            if (name.length > length &&
                memcmp(name.text + name.length - length, endings[i], length) == 0) {
                name.length -= length;
                is_cut = true;
            }
        }
    }
    return name;
}

static bool is_one_of(text word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is(word, words[i]))
            return true;
    return false;
}

static text folder_of(const char *path, const char *name)
{
    const char *end = name > path ? name - 1 : path, *start = end;
    while (start > path && start[-1] != '/')
        start--;
    text folder = {start, (size_t)(end - start)};
    bool is_plain = is_one_of(folder, plain_folders, sizeof plain_folders / sizeof *plain_folders);
    return is_plain ? (text){start, 0} : folder;
}

/* A name with one of the words of log_names in it: *node is what else names. */
static bool split_name(const char *path, text *node)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    text name = without_endings((text){file, strlen(file)});
    *node = (text){path, 0};
    for (size_t i = 0; i < sizeof log_names / sizeof *log_names; i++) {
        size_t length = strlen(log_names[i]);
        bool is_whole = is(name, log_names[i]);
        bool is_first = !is_whole && begins(name, log_names[i]) && strchr("-_.", name.text[length]);
        bool is_last = !is_whole && !is_first && name.length > length + 1 &&
                       strchr("-_.", name.text[name.length - length - 1]) &&
                       memcmp(name.text + name.length - length, log_names[i], length) == 0;
        if (is_whole || is_first || is_last) {
            *node = is_whole   ? folder_of(path, file)
                    : is_first ? drop(name, length + 1)
                               : (text){name.text, name.length - length - 1};
            return true;
        }
    }
    return false;
}

struct hc_event_text hc_kernel_node_of_path(const char *path)
{
    text node;
    split_name(path, &node);
    return node;
}

bool hc_kernel_is_named_by(const char *path)
{
    text node;
    return split_name(path, &node);
}
