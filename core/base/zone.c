#include "core/base/zone.h"

#include "core/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_S ((int64_t)631152000)  /* 1990 */
#define END_S   ((int64_t)4102444800) /* 2100 */
/* No place sets its clocks twice within it. */
#define STRIDE_S ((int64_t)7 * 86400)

/* ---- names ---- */

/* "+05:30" */
static bool read_offset(const char *name, int64_t *offset_s)
{
    int hours, minutes, length = 0;
    if ((name[0] != '+' && name[0] != '-') ||
        sscanf(name + 1, "%2d:%2d%n", &hours, &minutes, &length) != 2 || name[1 + length] ||
        length != 5 || hours > 23 || minutes > 59)
        return false;
    *offset_s = (name[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

/* The C library takes a zone that it does not know for UTC, and says nothing. */
static bool is_known(const char *name)
{
    const char *directory = getenv("TZDIR");
    char path[512];
    if (!name[0] || name[0] == '/' || strstr(name, ".."))
        return false;
    int n =
        snprintf(path, sizeof path, "%s/%s", directory ? directory : "/usr/share/zoneinfo", name);
    if (n < 0 || (size_t)n >= sizeof path)
        return false;
    FILE *file = fopen(path, "rb");
    char magic[4] = "";
    bool is_zone = file && fread(magic, 1, 4, file) == 4 && memcmp(magic, "TZif", 4) == 0;
    if (file)
        fclose(file);
    return is_zone;
}

/* ---- changes, as the C library knows them ---- */

static int64_t offset_at(int64_t unix_s)
{
    time_t when = unix_s;
    struct tm local;
    return localtime_r(&when, &local) ? local.tm_gmtoff : 0;
}

/* The first second from after `from` to `to` at which the offset is that of `to`. */
static int64_t find_change(int64_t from, int64_t to)
{
    int64_t offset = offset_at(from);
    while (to - from > 1) {
        int64_t middle = from + (to - from) / 2;
        if (offset_at(middle) == offset)
            from = middle;
        else
            to = middle;
    }
    return to;
}

static enum hc_status find_changes(struct hc_zone *zone, struct hc_error *err)
{
    size_t capacity = 0;
    int64_t offset_s = offset_at(FIRST_S);
    if (hc_reserve(&zone->changes, &capacity, 8, sizeof *zone->changes, err))
        return err->status;
    zone->changes[zone->n++] = (struct hc_zone_change){INT64_MIN, offset_s};
    for (int64_t at = FIRST_S; at < END_S; at += STRIDE_S) {
        int64_t next_s = offset_at(at + STRIDE_S);
        if (next_s == offset_s)
            continue;
        if (hc_reserve(&zone->changes, &capacity, zone->n + 1, sizeof *zone->changes, err))
            return err->status;
        zone->changes[zone->n++] = (struct hc_zone_change){find_change(at, at + STRIDE_S), next_s};
        offset_s = next_s;
    }
    return HC_OK;
}

static enum hc_status ask_system(struct hc_zone *zone, const char *name, struct hc_error *err)
{
    const char *before = getenv("TZ");
    char *kept = before ? strdup(before) : NULL;
    if ((before && !kept) || setenv("TZ", name, 1)) {
        free(kept);
        return hc_fail(err, HC_INTERNAL, "no memory for a time zone");
    }
    tzset();
    enum hc_status status = find_changes(zone, err);
    if (kept)
        setenv("TZ", kept, 1);
    else
        unsetenv("TZ");
    tzset();
    free(kept);
    return status;
}

enum hc_status hc_zone_init(struct hc_zone *zone, const char *name, struct hc_error *err)
{
    int64_t offset_s;
    memset(zone, 0, sizeof *zone);
    if (strcmp(name, "UTC") == 0 || strcmp(name, "Z") == 0)
        return HC_OK;
    if (read_offset(name, &offset_s)) {
        zone->changes = hc_new_array(1, sizeof *zone->changes, err);
        if (!zone->changes)
            return err->status;
        zone->changes[zone->n++] = (struct hc_zone_change){INT64_MIN, offset_s};
        return HC_OK;
    }
    if (!is_known(name))
        return hc_fail(err, HC_USAGE,
                       "'%s' is no time zone that this machine knows; say UTC, a name like "
                       "Europe/Berlin (of package tzdata), or an offset like +05:30",
                       name);
    enum hc_status status = ask_system(zone, name, err);
    if (status)
        hc_zone_fini(zone);
    return status;
}

void hc_zone_fini(struct hc_zone *zone)
{
    free(zone->changes);
    memset(zone, 0, sizeof *zone);
}

/* ---- local to Unix ---- */

/* The last change not after it. */
static size_t change_before(const struct hc_zone *zone, int64_t unix_s)
{
    size_t low = 0, high = zone->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (zone->changes[middle].from_s <= unix_s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

enum hc_local_time hc_zone_to_unix_s(const struct hc_zone *zone, int64_t local_s, int64_t *unix_s)
{
    *unix_s = local_s;
    if (zone->n == 0)
        return HC_LOCAL_ONCE;
    /* Offsets are less than a day: the change that holds is one of two or three. */
    size_t i = change_before(zone, local_s - 86400);
    for (; i + 1 < zone->n && zone->changes[i + 1].from_s <= local_s - zone->changes[i].offset_s;
         i++) {
        if (local_s - zone->changes[i + 1].offset_s < zone->changes[i + 1].from_s) {
            *unix_s = local_s - zone->changes[i].offset_s;
            return HC_LOCAL_NEVER;
        }
    }
    *unix_s = local_s - zone->changes[i].offset_s;
    bool is_twice =
        i + 1 < zone->n && local_s - zone->changes[i + 1].offset_s >= zone->changes[i + 1].from_s;
    return is_twice ? HC_LOCAL_TWICE : HC_LOCAL_ONCE;
}

int64_t hc_zone_offset_s(const struct hc_zone *zone, int64_t unix_s)
{
    size_t i = 0;
    while (i + 1 < zone->n && zone->changes[i + 1].from_s <= unix_s)
        i++;
    return zone->n ? zone->changes[i].offset_s : 0;
}
