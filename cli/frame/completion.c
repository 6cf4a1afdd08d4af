#include "cli/frame/manual.h"

#include "parsers/registry/format_registry.h"
#include "study/grammar/presets.h"

#include <string.h>

/* What stands for the value of an option, or an argument, in the generated script: "file",
 * "directory", "job", "command", "none", or the words to choose from. */
static const char *kind_of(const char *name)
{
    if (strstr(name, "JOB"))
        return "job";
    if (strstr(name, "FILE") || strstr(name, "TRACE") || strstr(name, "PARTIAL"))
        return "file";
    if (strstr(name, "DIR"))
        return "directory";
    if (strcmp(name, "PRESET") == 0)
        return "words";
    return strcmp(name, "COMMAND") == 0 ? "command" : "none";
}

/* The names of the presets, where name stands for one of them. */
static void put_presets(FILE *stream, const char *name)
{
    for (size_t i = 0; name && strcmp(name, "PRESET") == 0 && i < hc_n_presets; i++)
        fprintf(stream,
                i && strcmp(hc_presets[i - 1].name, hc_presets[i].name) == 0 ? " %s@%d" : " %s",
                hc_presets[i].name, hc_presets[i].version);
}

/* Words of all commands at one level: the first words, or those after a group. */
static void put_command_words(FILE *stream, const char *group)
{
    size_t length = group ? strlen(group) : 0;
    const char *last = "";
    const struct hc_command *const *commands = hc_command_table();
    for (size_t i = 0; commands[i]; i++) {
        const char *name = commands[i]->name;
        size_t word = strcspn(name, " ");
        if (!group && !(strncmp(last, name, word) == 0 && last[word] == ' '))
            fprintf(stream, " %.*s", (int)word, name);
        else if (group && strncmp(name, group, length) == 0 && name[length] == ' ')
            fprintf(stream, " %s", name + length + 1);
        last = name;
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

/* The words that an option takes; nothing when they cannot be listed. */
static void put_choices(FILE *stream, const struct hc_option *option)
{
    size_t n_formats = 0;
    const struct hc_format *const *formats = hc_formats(&n_formats);
    for (size_t i = 0; option->kind == HC_OPTION_CHOICE && option->choices[i]; i++)
        fprintf(stream, " %s", option->choices[i]);
    for (size_t i = 0; strcmp(option->name, "format") == 0 && i < n_formats; i++)
        fprintf(stream, " %s", formats[i]->name);
}

/* A line for the long name and one for the letter. */
static void put_value(FILE *stream, const struct hc_command *command,
                      const struct hc_option *option)
{
    for (int form = 0; form < 2; form++) {
        if (form == 1 && !option->letter)
            continue;
        fprintf(stream, "    ['%s ", command->name);
        if (form == 0)
            fprintf(stream, "--%s']='", option->name);
        else
            fprintf(stream, "-%c']='", option->letter);
        bool has_words = option->kind == HC_OPTION_CHOICE || strcmp(option->name, "format") == 0;
        fputs(has_words ? "words" : kind_of(option->argument), stream);
        put_choices(stream, option);
        put_presets(stream, option->argument);
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
    const struct hc_positional *p = command->positionals;
    if (!p || !p->name)
        return;
    fprintf(stream, "    ['%s']='%s%s", command->name, kind_of(p->name),
            strstr(p->name, "|FILE") ? " file" : "");
    put_presets(stream, p->name);
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
    "    \"${COMP_WORDS[0]}\" ls -q -a \"$archive\" 2>/dev/null | sed -n '2,$s/ .*//p'\n"
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
            put_command_words(stream, group);
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
    put_command_words(stream, NULL);
    fputs("'\n", stream);
    put_groups(stream);
    put_table(stream, "options", put_option_words);
    put_table(stream, "values", put_values);
    put_table(stream, "arguments", put_arguments);
    fputs(script, stream);
}
