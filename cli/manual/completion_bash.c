#include "cli/manual/completion_words.h"
#include "cli/manual/manual.h"

#include <string.h>

/* Names of kinds in the generated script, by the bits of enum hc_word_kind. */
static const char *const kind_names[] = {"file", "directory", "job", "command", "preset", "key"};

static void put_kinds(FILE *stream, unsigned kinds)
{
    const char *gap = "";
    if (!kinds)
        fputs("none", stream);
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
        if (kinds & (1u << i)) {
            fprintf(stream, "%s%s", gap, kind_names[i]);
            gap = " ";
        }
}

static void put_option_words(FILE *stream, const struct hc_command *command)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    fprintf(stream, "    ['%s']='", command->name);
    for (size_t i = 0; i < n; i++) {
        if (places[i].option->letter)
            fprintf(stream, "-%c ", places[i].option->letter);
        fprintf(stream, "--%s%s", places[i].option->name, i + 1 < n ? " " : "'\n");
    }
}

/* A line for the long name and one for the letter. */
static void put_value(FILE *stream, const struct hc_command *command,
                      const struct hc_option *option)
{
    unsigned kinds = hc_word_kinds_of_option(option);
    for (int form = 0; form < 2; form++) {
        if (form == 1 && !option->letter)
            continue;
        fprintf(stream, "    ['%s ", command->name);
        if (form == 0)
            fprintf(stream, "--%s']='", option->name);
        else
            fprintf(stream, "-%c']='", option->letter);
        if (kinds == HC_WORD_CHOICES) {
            fputs("words", stream);
            hc_put_choices(stream, option);
        } else {
            put_kinds(stream, kinds);
        }
        fputs("'\n", stream);
    }
}

static void put_values(FILE *stream, const struct hc_command *command)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    for (size_t i = 0; i < n; i++)
        if (places[i].option->kind != HC_OPTION_FLAG)
            put_value(stream, command, places[i].option);
}

/* "job file" for an argument that may be either. */
static void put_arguments(FILE *stream, const struct hc_command *command)
{
    if (!command->positionals || !command->positionals->name)
        return;
    fprintf(stream, "    ['%s']='", command->name);
    put_kinds(stream, hc_word_kinds_of_argument(command->positionals));
    fputs("'\n", stream);
}

static const char script[] =
    "\n"
    "# The jobs of the archive that the line names.\n"
    "_hindcast_jobs() {\n"
    "    local i archive=${HINDCAST_ARCHIVE:-hindcast-archive}\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case ${COMP_WORDS[i]} in -a | --archive) archive=${COMP_WORDS[i + 1]} ;; esac\n"
    "    done\n"
    "    # cluster/id, and the bare id\n"
    "    \"${COMP_WORDS[0]}\" ls -q -a \"$archive\" 2>/dev/null |\n"
    "        sed -n '2,${s/ .*//; p; s|.*/||p}'\n"
    "}\n"
    "\n"
    "_hindcast_kind() { # KINDS WORD\n"
    "    local kind word=$2\n"
    "    case $1 in\n"
    "        'words '*) COMPREPLY+=($(compgen -W \"${1#words }\" -- \"$word\")); return ;;\n"
    "    esac\n"
    "    for kind in $1; do\n"
    "        case $kind in\n"
    "            file) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- \"$word\")) "
    ";;\n"
    "            directory) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "
    "\"$word\")) ;;\n"
    "            job) COMPREPLY+=($(compgen -W \"$(_hindcast_jobs)\" -- \"$word\")) ;;\n"
    "            command) COMPREPLY+=($(compgen -W \"$_hindcast_commands\" -- \"$word\")) ;;\n"
    "            preset) COMPREPLY+=($(compgen -W \"$_hindcast_presets\" -- \"$word\")) ;;\n"
    "            key) compopt -o nospace 2>/dev/null || :\n"
    "                COMPREPLY+=($(compgen -W \"$_hindcast_keys\" -- \"$word\")) ;;\n"
    "        esac\n"
    "    done\n"
    "}\n"
    "\n"
    "_hindcast() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} IFS=$' \\t\\n'\n"
    "    COMPREPLY=()\n"
    "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "        COMPREPLY=($(compgen -W \"$_hindcast_commands --help --version\" -- \"$word\"))\n"
    "        compopt -o filenames 2>/dev/null || : # hindcast FILE\n"
    "        [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    if [ -n \"${_hindcast_groups[$command]:-}\" ]; then\n"
    "        if [ \"$COMP_CWORD\" = 2 ]; then\n"
    "            COMPREPLY=($(compgen -W \"${_hindcast_groups[$command]} --help\" -- \"$word\"))\n"
    "            return\n"
    "        fi\n"
    "        command+=\" ${COMP_WORDS[2]}\"\n"
    "    fi\n"
    "    if [ -n \"${_hindcast_values[$command $before]:-}\" ]; then\n"
    "        _hindcast_kind \"${_hindcast_values[$command $before]}\" \"$word\"\n"
    "    elif [[ $word == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"${_hindcast_options[$command]:-}\" -- \"$word\"))\n"
    "    else\n"
    "        _hindcast_kind \"${_hindcast_arguments[$command]:-}\" \"$word\"\n"
    "    fi\n"
    "}\n"
    "complete -F _hindcast hindcast\n";

static void put_table(FILE *stream, const char *name,
                      void (*put)(FILE *stream, const struct hc_command *command))
{
    fprintf(stream, "declare -gA _hindcast_%s=(\n", name);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++)
        put(stream, commands[i]);
    fputs(")\n", stream);
}

static void put_groups(FILE *stream)
{
    const char *last = "";
    fputs("declare -gA _hindcast_groups=(\n", stream);
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        size_t length = strcspn(name, " ");
        if (name[length] && !(strncmp(last, name, length) == 0 && last[length] == ' ')) {
            char group[32];
            snprintf(group, sizeof group, "%.*s", (int)length, name);
            fprintf(stream, "    ['%s']='", group);
            hc_put_command_words(stream, group);
            fputs("'\n", stream);
        }
        last = name;
    }
    fputs(")\n", stream);
}

void hc_completion_bash(FILE *stream)
{
    fprintf(stream, "# bash completion for hindcast %s; made by 'hindcast help --as bash'\n",
            HC_VERSION);
    fputs("_hindcast_commands='", stream);
    hc_put_command_words(stream, NULL);
    fputs("'\n", stream);
    fputs("_hindcast_presets='", stream);
    hc_put_presets(stream);
    fputs("'\n_hindcast_keys='", stream);
    hc_put_set_keys(stream);
    fputs("'\n", stream);
    put_groups(stream);
    put_table(stream, "options", put_option_words);
    put_table(stream, "values", put_values);
    put_table(stream, "arguments", put_arguments);
    fputs(script, stream);
}
