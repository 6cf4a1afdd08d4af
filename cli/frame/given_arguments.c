#include "cli/frame/given_arguments.h"

#include "core/base/memory.h"
#include "core/text/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

bool hc_option_is_of_the_run(const struct hc_option *option)
{
    static const char *const names[] = {"output", "threads", "quiet", "archive", "no-cache", NULL};
    return is_one_of(option->name, names) || hc_is_record_option(option) ||
           hc_is_lock_option(option);
}

bool hc_option_is_of_merge(const struct hc_option *option)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    const struct hc_command *merge = hc_command_named("merge");
    size_t n = merge ? hc_options_flatten(merge->options, places) : 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(places[i].option->name, option->name) == 0)
            return true;
    return false;
}

/* Options that shape the figures of a result. A shard of a fleet is one of the report that merge
 * makes. */
static bool shapes_result(const struct hc_option *option)
{
    static const char *const forms[] = {"shard", "csv", "json", NULL};
    bool writes = option->kind == HC_OPTION_FILE || option->kind == HC_OPTION_DIR ||
                  option->kind == HC_OPTION_PATH;
    return !writes && !hc_option_is_of_the_run(option) && !hc_option_is_of_merge(option) &&
           !is_one_of(option->name, forms);
}

/* A word as a shell takes it: in quotes where it has to be. */
static void put_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:=+@%#";
    if (*word && *word != '#' && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        *word == '\'' ? fputs("'\\''", stream) : fputc(*word, stream);
    fputc('\'', stream);
}

static void put_option(FILE *stream, const struct hc_given_option *given)
{
    fprintf(stream, " --%s", given->option->name);
    if (!given->text)
        return;
    fputc('=', stream);
    put_word(stream, given->text);
}

char *hc_given_command(const struct hc_command *command, const struct hc_given_options *given,
                       const struct hc_words *words, struct hc_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = hc_text_stream(&text, &size, err);
    if (!stream)
        return NULL;
    fprintf(stream, "hindcast %s", command->name);
    for (size_t i = 0; i < given->n; i++)
        if (shapes_result(given->list[i].option))
            put_option(stream, &given->list[i]);
    for (size_t i = 0; i < words->n; i++) {
        fputs(i || words->word[i][0] != '-' || !words->word[i][1] ? " " : " -- ", stream);
        put_word(stream, words->word[i]);
    }
    hc_text_stream_end(stream, &text, HC_OK, err);
    return text;
}
