#include "reports/whatif/culprits/culprit_tables.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_IN_TEXT      8
#define PHRASE            256
#define FIGURE            (3 * HC_NUMBER_TEXT + 16)
#define COLUMNS(columns_) .columns = columns_, .n_columns = sizeof(columns_) / sizeof *(columns_)
#define PAGE_NUMBER(title_)                                                                        \
    {                                                                                              \
        .title = title_, .is_right = true, .only = HC_HTML_ONLY                                    \
    }
#define PAGE_WORDS(title_)                                                                         \
    {                                                                                              \
        .title = title_, .only = HC_HTML_ONLY                                                      \
    }

bool hc_whatif_has_culprits(const struct hc_whatif_result *result)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    return culprits->done &&
           (culprits->n > 0 || culprits->n_levels > 1 || result->depth.n_asked_fixes > 0);
}

/* ---- figures ---- */

/* "1.60 (1.58 to 1.62)"; "-" when not known. */
static const char *ratio_text(const struct hc_measured *measured, char text[FIGURE])
{
    char value[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    hc_format_fixed(measured->value, 2, value);
    if (isfinite(measured->low) && isfinite(measured->high))
        snprintf(text, FIGURE, "%s (%s to %s)", value, hc_format_fixed(measured->low, 2, low),
                 hc_format_fixed(measured->high, 2, high));
    else
        snprintf(text, FIGURE, "%s", value);
    return text;
}

/* "63.0 % (60.1 % to 66.0 %)". */
static const char *share_text(const struct hc_measured *measured, char text[FIGURE])
{
    char value[HC_NUMBER_TEXT], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    hc_format_percent(measured->value, value);
    if (isfinite(measured->low) && isfinite(measured->high))
        snprintf(text, FIGURE, "%s (%s to %s)", value, hc_format_percent(measured->low, low),
                 hc_format_percent(measured->high, high));
    else
        snprintf(text, FIGURE, "%s", value);
    return text;
}

/* "3.21", "0.0042": of a short trace a culprit costs little, and not nothing. */
static const char *hours_text(double hours, char text[HC_NUMBER_TEXT])
{
    return hc_format_fixed(hours, fabs(hours) < 0.1 ? 4 : 2, text);
}

/* "93.0 ms (14.9 %)": of a mean step, as traced for late launches. */
static const char *saved_text(const struct hc_culprit *culprit, double saved_s,
                              const struct hc_whatif_result *result, char text[FIGURE])
{
    char seconds[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    double step_s = culprit->ops == HC_SLOW_LAUNCHES ? result->traced_s : result->replayed_s;
    snprintf(text, FIGURE, "%s (%s)", hc_format_seconds(saved_s, seconds),
             hc_format_percent(saved_s / step_s, share));
    return text;
}

/* The number of an analysed step, or of a range of two where these differ: "114", "112 to 115". */
static const char *step_text(const struct hc_whatif_result *result, size_t low, size_t high,
                             char text[FIGURE])
{
    if (low == high)
        snprintf(text, FIGURE, "%" PRId32, result->steps[low]);
    else
        snprintf(text, FIGURE, "%" PRId32 " to %" PRId32, result->steps[low], result->steps[high]);
    return text;
}

/* ---- culprits ---- */

/* " (1.58 to 1.62)" where there is an interval. */
static void add_interval(struct hc_text_line *line, const struct hc_measured *measured,
                         bool is_share)
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    if (!isfinite(measured->low) || !isfinite(measured->high))
        return;
    if (is_share)
        hc_line_add(line, " (%s to %s)", hc_format_percent(measured->low, low),
                    hc_format_percent(measured->high, high));
    else
        hc_line_add(line, " (%s to %s)", hc_format_fixed(measured->low, 2, low),
                    hc_format_fixed(measured->high, 2, high));
}

/* "passes take 1.60 times as long (1.58 to 1.62)": what is slow, and how strongly. */
static void add_strength(struct hc_text_line *line, const struct hc_culprit *culprit)
{
    bool is_late = culprit->ops == HC_SLOW_LAUNCHES;
    char value[HC_NUMBER_TEXT], ops[HC_OPS_TEXT];
    hc_line_add(line, "%s %s", hc_culprit_ops_text(culprit, ops), is_late ? "are" : "take");
    if (!isfinite(culprit->factor.value) && culprit->ops == HC_SLOW_TYPES)
        hc_line_add(line, " %s a step that its peers do not",
                    hc_format_seconds(culprit->extra_s, value));
    else if (!isfinite(culprit->factor.value))
        hc_line_add(line, is_late ? " late" : " longer");
    else
        hc_line_add(line, " %s times as %s", hc_format_fixed(culprit->factor.value, 2, value),
                    is_late ? "late" : "long");
    add_interval(line, &culprit->factor, false);
}

static void add_culprit(struct hc_section *section, const struct hc_whatif_result *result,
                        const struct hc_culprit *culprit)
{
    struct hc_text_line line = {.used = 0};
    char text[FIGURE];
    hc_section_prose(section, culprit->name);
    hc_section_prose(section, culprit->when[0] ? culprit->when : "all along");
    snprintf(text, sizeof text, "%zu of %zu", culprit->n_slow_steps, result->n_steps);
    hc_section_text(section, text);
    add_strength(&line, culprit);
    hc_section_prose(section, line.text);
    hc_section_text(section, saved_text(culprit, culprit->alone_s, result, text));
    hc_section_text(section, share_text(&culprit->alone_share, text));
    hc_section_text(section, saved_text(culprit, culprit->split_s, result, text));
    hc_section_text(section, hours_text(culprit->gpu_hours_lost, text));
}

struct hc_section hc_whatif_culprits_table(const struct hc_whatif_result *result, size_t most)
{
    static const struct hc_section_column columns[] = {
        PAGE_WORDS("who"),
        PAGE_WORDS("when"),
        PAGE_NUMBER("slow steps"),
        PAGE_WORDS("how slow"),
        PAGE_NUMBER("mending it alone saves"),
        PAGE_NUMBER("of the excess"),
        PAGE_NUMBER("its part of all mended"),
        PAGE_NUMBER("GPU-hours"),
    };
    const struct hc_culprits *culprits = &result->depth.culprits;
    struct hc_section section = {COLUMNS(columns)};
    for (size_t c = 0; c < culprits->n && c < most; c++)
        add_culprit(&section, result, &culprits->culprits[c]);
    if (culprits->n > most)
        hc_section_note(&section, "And %zu more with smaller parts.", culprits->n - most);
    return section;
}

/* ---- stretches ---- */

static void add_stretch(struct hc_section *section, const struct hc_whatif_result *result,
                        const struct hc_slow_stretch *stretch)
{
    char text[FIGURE];
    hc_section_text(section, step_text(result, stretch->first, stretch->first, text));
    hc_section_text(section, step_text(result, stretch->first_low, stretch->first_high, text));
    hc_section_text(section, step_text(result, stretch->last, stretch->last, text));
    hc_section_text(section, step_text(result, stretch->last_low, stretch->last_high, text));
    hc_section_count(section, (int64_t)(stretch->last - stretch->first + 1));
    hc_section_text(section, hc_format_fixed(stretch->factor, 2, text));
}

struct hc_section hc_whatif_stretches_table(const struct hc_whatif_result *result, size_t most)
{
    static const struct hc_section_column columns[] = {
        PAGE_WORDS("who"),
        PAGE_NUMBER("from step"),
        PAGE_NUMBER("95 %"),
        PAGE_NUMBER("to step"),
        PAGE_NUMBER("95 %"),
        PAGE_NUMBER("steps"),
        PAGE_NUMBER("times as long"),
    };
    const struct hc_culprits *culprits = &result->depth.culprits;
    struct hc_section section = {COLUMNS(columns)};
    size_t n = 0;
    for (size_t c = 0; c < culprits->n; c++)
        for (size_t i = 0; i < culprits->culprits[c].n_stretches; i++, n++) {
            if (n >= most)
                continue;
            hc_section_prose(&section, culprits->culprits[c].name);
            add_stretch(&section, result, &culprits->culprits[c].stretches[i]);
        }
    if (n > most)
        hc_section_note(&section, "And %zu more.", n - most);
    return section;
}

/* ---- levels ---- */

struct hc_section hc_whatif_levels_table(const struct hc_whatif_result *result)
{
    static const struct hc_section_column columns[] = {
        {.title = "steps", .is_whole = true},
        {.title = "S", .gap = 2, .is_right = true},
        {.title = "mean step", .gap = 2, .is_right = true},
    };
    const struct hc_culprits *culprits = &result->depth.culprits;
    struct hc_section section = {.title = "The job as a whole changes its level",
                                 .caption = "Levels of the job as a whole",
                                 COLUMNS(columns),
                                 .indent = 2};
    char text[FIGURE];
    for (size_t i = 0; culprits->n_levels > 1 && i < culprits->n_levels; i++) {
        const struct hc_job_level *level = &culprits->levels[i];
        hc_section_text(&section, step_text(result, level->first, level->last, text));
        hc_section_text(&section, ratio_text(&level->slowdown, text));
        hc_section_text(&section, hc_format_seconds(level->replayed_s, text));
    }
    return section;
}

/* ---- fixes that were asked for ---- */

/* "rank:7,9" as "rank 7, 9"; cut where it is long. */
static void fix_name(const char *asked, char *text, size_t size)
{
    size_t used = 0;
    for (const char *c = asked; *c && used + 3 < size; c++) {
        text[used++] = *c == ':' ? ' ' : *c;
        if (*c == ',')
            text[used++] = ' ';
    }
    text[used] = '\0';
}

const char *hc_whatif_fix_text(const struct hc_whatif_result *result,
                               const struct hc_asked_fix *fix, char text[HC_FIX_TEXT])
{
    char name[HC_FIX_TEXT - 400], head[HC_FIX_TEXT - 300];
    char saved[HC_NUMBER_TEXT], share[HC_NUMBER_TEXT];
    fix_name(fix->name, name, sizeof name);
    snprintf(head, sizeof head, "%s (%zu worker%s)", name, fix->n_chosen,
             fix->n_chosen == 1 ? "" : "s");
    hc_format_seconds(fix->saved_s, saved);
    hc_format_percent(fix->saved_s / result->replayed_s, share);
    if (fix->n_culprits == 0) {
        snprintf(text, HC_FIX_TEXT, "%s: nothing slow was found on it", head);
    } else if (!(fix->launches_saved_s > 0)) {
        snprintf(text, HC_FIX_TEXT, "fixing %s saves %s of a mean step (%s)", head, saved, share);
    } else {
        char late[HC_NUMBER_TEXT], late_share[HC_NUMBER_TEXT];
        int used =
            snprintf(text, HC_FIX_TEXT,
                     "fixing the late launches of %s saves %s of a mean step as traced (%s)", head,
                     hc_format_seconds(fix->launches_saved_s, late),
                     hc_format_percent(fix->launches_saved_s / result->traced_s, late_share));
        if (fix->saved_s != 0)
            snprintf(text + used, HC_FIX_TEXT - (size_t)used,
                     ", fixing its ops %s of a mean step without launch delays (%s)", saved, share);
    }
    return text;
}

/* ---- text ---- */

/* "from step 114 on, in 6 of 20 steps: passes take 1.60 times as long; mending it alone saves
 * 93.0 ms (14.9 %) of a mean step, its part of all together 31.0 ms (5.0 %), 0.02 GPU-hours". */
static void add_sentence(struct hc_text_line *line, const struct hc_whatif_result *result,
                         const struct hc_culprit *culprit)
{
    char number[HC_NUMBER_TEXT], alone[FIGURE], split[FIGURE];
    if (culprit->when[0])
        hc_line_add(line, "%s: ", culprit->when);
    add_strength(line, culprit);
    hc_line_add(line, "; mending it alone saves %s of a mean step",
                saved_text(culprit, culprit->alone_s, result, alone));
    saved_text(culprit, culprit->split_s, result, split);
    if (strcmp(alone, split) != 0)
        hc_line_add(line, ", its part of all together is %s", split);
    if (isfinite(culprit->alone_share.value) && result->slowdown >= HC_STRAGGLING) {
        hc_line_add(line, "; alone %s of the excess",
                    hc_format_percent(culprit->alone_share.value, number));
        add_interval(line, &culprit->alone_share, true);
    }
    if (isfinite(culprit->gpu_hours_lost))
        hc_line_add(line, ", %s GPU-hours", hours_text(culprit->gpu_hours_lost, number));
}

static void write_culprit(FILE *stream, const struct hc_whatif_result *result,
                          const struct hc_culprit *culprit)
{
    struct hc_text_line line = {.used = 0};
    fputs("  ", stream);
    hc_text_wrap(stream, culprit->name, 2, 4, HC_TEXT_WIDTH);
    fputs("      ", stream);
    add_sentence(&line, result, culprit);
    hc_text_wrap(stream, line.text, 6, 6, HC_TEXT_WIDTH);
}

enum hc_status hc_whatif_write_culprits(FILE *stream, const struct hc_whatif_result *result,
                                        struct hc_error *err)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    if (!hc_whatif_has_culprits(result))
        return HC_OK;
    if (culprits->n > 0)
        fputs("\nSlower than their peers, or than before: who, when, how much, and what mending "
              "saves\n",
              stream);
    for (size_t c = 0; c < culprits->n && c < MOST_IN_TEXT; c++)
        write_culprit(stream, result, &culprits->culprits[c]);
    if (culprits->n > MOST_IN_TEXT)
        fprintf(stream, "  and %zu more with smaller parts\n", culprits->n - MOST_IN_TEXT);
    return culprits->n_levels > 1 ? hc_section_print(stream, hc_whatif_levels_table(result), err)
                                  : HC_OK;
}
