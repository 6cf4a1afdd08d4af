/* Completion for zsh: one _arguments call a command, with the sentences of the help. */
#include "cli/manual/completion_words.h"
#include "cli/manual/manual.h"

#include <string.h>

/* Text within single quotes and brackets of _arguments. */
static void put_text(FILE *stream, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stream);
        else if (strchr("[]:\\", *text))
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
}

/* ":NAME:ACTION", what completes a value or an argument. */
static void put_action(FILE *stream, const char *name, unsigned kinds,
                       const struct hc_option *option)
{
    fputc(':', stream);
    put_text(stream, name);
    fputc(':', stream);
    if (kinds == HC_WORD_CHOICES) {
        fputc('(', stream);
        hc_put_choices(stream, option);
        fputc(')', stream);
    } else if (kinds) {
        fprintf(stream, " _hindcast_words %u", kinds); /* a space: nothing is put between */
    }
}

static void put_option(FILE *stream, const struct hc_option *option)
{
    bool takes_value = option->kind != HC_OPTION_FLAG;
    bool is_many = option->kind == HC_OPTION_LIST;
    fputs("        ", stream);
    if (is_many)
        fputs("'*'", stream);
    if (option->letter && !is_many)
        fprintf(stream, "'(-%c --%s)'", option->letter, option->name);
    if (option->letter)
        fprintf(stream, "{-%c,--%s%s}'[", option->letter, option->name, takes_value ? "=" : "");
    else
        fprintf(stream, "'--%s%s[", option->name, takes_value ? "=" : "");
    put_text(stream, option->help);
    fputc(']', stream);
    if (takes_value)
        put_action(stream, option->argument, hc_word_kinds_of_option(option), option);
    fputs("' \\\n", stream);
}

static void put_command(FILE *stream, const struct hc_command *command)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    fprintf(stream, "    '%s') _arguments -s -S \\\n", command->name);
    for (size_t i = 0; i < n; i++)
        put_option(stream, places[i].option);
    const struct hc_positional *p = command->positionals;
    if (p && p->name) {
        fputs("        '*", stream);
        put_action(stream, p->name, hc_word_kinds_of_argument(p), NULL);
        fputs("' ;;\n", stream);
    } else {
        fputs("        ;;\n", stream);
    }
}

/* "'ls:list the jobs'", of the commands of one level. */
static void put_descriptions(FILE *stream, const char *group)
{
    const struct hc_command *const *commands = hc_command_table();
    size_t length = group ? strlen(group) : 0;
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name, *second = strchr(name, ' ');
        bool is_of_group = group && strncmp(name, group, length) == 0 && name[length] == ' ';
        if (group ? !is_of_group : second != NULL)
            continue;
        fprintf(stream, " '%s:", group ? second + 1 : name);
        put_text(stream, commands[i]->summary);
        fputc('\'', stream);
    }
}

static bool is_first_of_group(size_t i)
{
    const struct hc_command *const *commands = hc_command_table();
    size_t length = strcspn(commands[i]->name, " ");
    if (!commands[i]->name[length])
        return false;
    for (size_t j = 0; j < i; j++)
        if (strncmp(commands[j]->name, commands[i]->name, length + 1) == 0)
            return false;
    return true;
}

static void put_groups(FILE *stream)
{
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        if (!is_first_of_group(i))
            continue;
        char group[32];
        snprintf(group, sizeof group, "%.*s", (int)strcspn(commands[i]->name, " "),
                 commands[i]->name);
        fprintf(stream, "    %s) commands=(", group);
        put_descriptions(stream, group);
        fputs(") ;;\n", stream);
    }
}

/* The kinds are the bits of enum hc_word_kind. */
static const char words[] =
    "_hindcast_words() { # KINDS\n"
    "  local -a jobs\n"
    "  local "
    "archive=${opt_args[-a]:-${opt_args[--archive]:-${HINDCAST_ARCHIVE:-hindcast-archive}}}\n"
    "  if (( $1 & 4 )); then\n"
    "    jobs=(${(f)\"$(_call_program jobs hindcast ls -q -a ${(q)archive} 2>/dev/null |\n"
    "        sed -n '2,${s/ .*//; p; s|.*/||p}')\"})\n"
    "    compadd -a jobs\n"
    "  fi\n"
    "  (( $1 & 16 )) && compadd -- ${=_hindcast_presets}\n"
    "  (( $1 & 32 )) && compadd -S '' -- ${=_hindcast_keys}\n"
    "  (( $1 & 8 )) && compadd -- ${=_hindcast_commands}\n"
    "  if (( $1 & 1 )); then _files; elif (( $1 & 2 )); then _files -/; fi\n"
    "}\n\n";

static const char start[] = "_hindcast() {\n"
                            "  local -a commands\n"
                            "  local command=$words[2] n=1\n"
                            "  if (( CURRENT == 2 )); then\n"
                            "    commands=(";

static const char middle[] = "    _describe command commands\n"
                             "    compadd -- ${=_hindcast_commands}\n"
                             "    _files\n"
                             "    return\n"
                             "  fi\n"
                             "  case $command in\n";

static const char second[] =
    "  esac\n"
    "  if (( $#commands )); then\n"
    "    if (( CURRENT == 3 )); then _describe command commands; return; fi\n"
    "    command=\"$command $words[3]\" n=2\n"
    "  fi\n"
    "  shift $n words\n"
    "  (( CURRENT -= n ))\n"
    "  case $command in\n";

void hc_completion_zsh(FILE *stream)
{
    fprintf(stream,
            "#compdef hindcast\n# zsh completion for hindcast %s; made by 'hindcast help --as "
            "zsh'\n",
            HC_VERSION);
    fputs("_hindcast_commands='", stream);
    hc_put_command_words(stream, NULL);
    fputs("'\n_hindcast_presets='", stream);
    hc_put_presets(stream);
    fputs("'\n_hindcast_keys='", stream);
    hc_put_set_keys(stream);
    fputs("'\n\n", stream);
    fputs(words, stream);
    fputs(start, stream);
    put_descriptions(stream, NULL);
    fputs(")\n", stream);
    fputs(middle, stream);
    put_groups(stream);
    fputs(second, stream);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++)
        put_command(stream, commands[i]);
    fputs("  esac\n}\n\nif [ \"$funcstack[1]\" = _hindcast ]; then _hindcast \"$@\"; else compdef "
          "_hindcast hindcast; fi\n",
          stream);
}
