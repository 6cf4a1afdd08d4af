#include "store/archive/segment_name.h"

#include "core/base/memory.h"
#include "store/archive/manifest.h"
#include "store/objects/object_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_DIGITS    12
#define CLUSTER_MAX    60 /* bytes of the name */
#define ID_MAX         90
#define NAME_MAX_BYTES 255

/* The superblock is written last: a segment whose writer was killed begins with a hole. */
static bool begins_as_segment(const uint8_t *head, size_t n)
{
    static const uint8_t hole[HC_HEAD_BYTES];
    return n == HC_HEAD_BYTES && (hc_is_hdf5_signature(head) || memcmp(head, hole, n) == 0);
}

const struct hc_temporary_kind hc_temporary_segment = {".tmp-", HC_SEGMENT_SUFFIX,
                                                       begins_as_segment, HC_OUTER_MANIFEST};

static bool is_safe(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

/* Append text to the name at out, percent-encoded and cut after most bytes; returns the end. No
 * part begins with a dot: neither hidden nor "..". */
static char *put_part(char *out, const char *text, size_t most)
{
    char *end = out + most;
    for (const char *p = text; *p && out + 3 <= end; p++) {
        unsigned char c = (unsigned char)*p;
        if (is_safe(c) && (c != '.' || p != text))
            *out++ = (char)c;
        else
            out += sprintf(out, "%%%02X", c);
    }
    *out = '\0';
    return out;
}

char *hc_segment_file_name(const struct hc_manifest_entry *entry, const char *rewrites,
                           struct hc_error *err)
{
    char name[CLUSTER_MAX + 1 + ID_MAX + 1], hash[HC_DIGEST_TEXT], attempt[32];
    if (entry->of_rank == HC_MISSING_I32)
        snprintf(attempt, sizeof attempt, "%d", (int)entry->attempt);
    else
        snprintf(attempt, sizeof attempt, "%d-%d", (int)entry->attempt, (int)entry->of_rank);
    const char *part = entry->day[0] ? entry->day : attempt;
    char border[32] = ""; /* where a line feed in a name hides it; old names stay as they are */
    if (strchr(entry->cluster, '\n') || strchr(entry->job_id, '\n'))
        snprintf(border, sizeof border, "\n%zu", strlen(entry->cluster));
    char *identity = hc_new_text(err, "%s\n%s\n%s\n%s\n%s\n%s\n%d\n%s%s%s%s", entry->cluster,
                                 entry->job_id, part, entry->source_sha256, entry->meta_sha256,
                                 entry->format, (int)entry->format_version, entry->options, border,
                                 *rewrites ? "\n" : "", rewrites);
    if (!identity)
        return NULL;
    hc_digest_bytes(identity, strlen(identity), hash);
    free(identity);
    char *p = put_part(name, entry->cluster, CLUSTER_MAX);
    *p++ = '~';
    put_part(p, entry->job_id, ID_MAX);
    return hc_new_text(err, "%s/%s~%s.%.*s%s", HC_SEGMENT_DIRECTORY, name, part, HASH_DIGITS, hash,
                       HC_SEGMENT_SUFFIX);
}

bool hc_is_segment_file(const char *file)
{
    const char *prefix = HC_SEGMENT_DIRECTORY "/";
    if (strncmp(file, prefix, strlen(prefix)) != 0)
        return false;
    const char *name = file + strlen(prefix);
    size_t length = strlen(name), suffix = strlen(HC_SEGMENT_SUFFIX);
    return *name != '.' && !strchr(name, '/') && length > suffix && length <= NAME_MAX_BYTES &&
           strcmp(name + length - suffix, HC_SEGMENT_SUFFIX) == 0;
}

const char *hc_segment_base_name(const char *file)
{
    return file + strlen(HC_SEGMENT_DIRECTORY "/");
}

bool hc_is_segment_name(const char *name)
{
    size_t length = strlen(name), tail = 1 + HASH_DIGITS + strlen(HC_SEGMENT_SUFFIX);
    const char *attempt = strrchr(name, '~'), *dot = name + length - tail;
    if (length <= tail || length > NAME_MAX_BYTES || *name == '.' || !attempt || attempt >= dot ||
        memchr(name, '~', (size_t)(attempt - name)) == NULL)
        return false;
    size_t digits = strspn(attempt + 1, "-0123456789");
    return digits > 0 && attempt + 1 + digits == dot && *dot == '.' &&
           strspn(dot + 1, "0123456789abcdef") == HASH_DIGITS &&
           strcmp(dot + 1 + HASH_DIGITS, HC_SEGMENT_SUFFIX) == 0;
}

/* Bytes of the UTF-8 sequence at p (RFC 3629), or 0. */
static size_t utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    size_t n = p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : 4;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : n;
}

char *hc_utf8_text(const char *text, struct hc_error *err)
{
    char *clean = hc_new_array(strlen(text) + 1, 3, err);
    char *out = clean;
    for (const char *p = text; clean && *p;) {
        size_t n = utf8_length((const unsigned char *)p);
        if (n) {
            memcpy(out, p, n);
            out += n;
            p += n;
        } else {
            out += sprintf(out, "%%%02X", (unsigned char)*p++);
        }
    }
    return clean;
}
