#include "parsers/registry/format_advice.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LOOKED 8192 /* bytes by which a file is told */

#define BY_MAP "a map in a site file may say which column or key of it is what (docs/site.md, Maps)"

/* The first bytes of a file, and its first two lines that are not empty. */
struct head {
    const char *text, *path;
    size_t length;
    const char *line[2];
    size_t line_length[2];
};

/* ---- pieces ---- */

static bool has(const struct head *head, const char *words)
{
    return memmem(head->text, head->length, words, strlen(words)) != NULL;
}

static bool line_has(const struct head *head, const char *words)
{
    return memmem(head->line[0], head->line_length[0], words, strlen(words)) != NULL;
}

static bool begins(const struct head *head, const char *words)
{
    size_t n = strlen(words);
    return head->line_length[0] >= n && strncasecmp(head->line[0], words, n) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count(const struct head *head, int line, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < head->line_length[line]; i++)
        n += head->line[line][i] == c;
    return n;
}

static void find_lines(struct head *head)
{
    const char *at = head->text, *end = at + head->length;
    for (int i = 0; i < 2; i++) {
        while (at < end && (*at == '\n' || *at == '\r' || *at == ' '))
            at++;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        head->line[i] = at;
        head->line_length[i] = (size_t)((feed ? feed : end) - at);
        at = feed ? feed : end;
    }
}

/* ---- what it may be ---- */

static bool is_utf16(const struct head *head)
{
    static const char *const marks[] = {"\xFF\xFE", "\xFE\xFF"};
    if (head->length < 4)
        return false;
    size_t zeros[2] = {0, 0}, most = head->length < 200 ? head->length : 200;
    for (size_t i = 0; i < most; i++)
        zeros[i % 2] += head->text[i] == '\0';
    return memcmp(head->text, marks[0], 2) == 0 || memcmp(head->text, marks[1], 2) == 0 ||
           (zeros[0] * 3 > most && !zeros[1]) || (zeros[1] * 3 > most && !zeros[0]);
}

static bool is_binary(const struct head *head)
{
    return memchr(head->text, '\0', head->length) != NULL;
}

static bool is_web_page(const struct head *head)
{
    return begins(head, "<!doctype html") || begins(head, "<html");
}

static bool is_error_of_slurm(const struct head *head)
{
    return begins(head, "sacct: error") || begins(head, "slurm_load") ||
           begins(head, "sacctmgr: error") || begins(head, "sinfo: error") ||
           begins(head, "scontrol: error");
}

/* "JobID JobName ..." over a line of dashes */
static bool is_sacct_for_people(const struct head *head)
{
    return line_has(head, "JobID") && head->line_length[1] > 4 &&
           memcmp(head->line[1], "----", 4) == 0;
}

/* "123|123|cluster|..." */
static bool is_sacct_without_header(const struct head *head)
{
    size_t n = 0;
    while (n < head->line_length[0] &&
           (is_digit(head->line[0][n]) || strchr("_+.", head->line[0][n])))
        n++;
    return n && n < head->line_length[0] && head->line[0][n] == '|' && count(head, 0, '|') >= 4;
}

/* An object whose first key is quoted, or an array of such or of arrays. */
static bool is_json(const struct head *head)
{
    const char *at = head->line[0], *end = head->text + head->length;
    bool is_open = false;
    for (; at < end && *at && (*at == '{' || *at == '[' || strchr(" \t\n\r", *at)); at++)
        is_open = *at == '{' || (is_open && *at != '[');
    return head->line_length[0] && at > head->line[0] && (at == end || (is_open && *at == '"'));
}

static bool is_sacct_json(const struct head *head)
{
    return is_json(head) && (has(head, "\"submission\"") || has(head, "openapi/dbv") ||
                             (has(head, "\"jobs\"") && has(head, "\"association\"")));
}

static bool is_squeue_json(const struct head *head)
{
    return is_json(head) && has(head, "\"jobs\"") &&
           (has(head, "\"job_id\"") || has(head, "\"array_job_id\"") || has(head, "slurm"));
}

static bool is_sinfo_json(const struct head *head)
{
    return is_json(head) && has(head, "\"sinfo\"");
}

static bool is_squeue(const struct head *head)
{
    return (line_has(head, "JOBID") && line_has(head, "NODELIST(REASON)")) ||
           begins(head, "JobId=");
}

static bool is_sinfo_lists(const struct head *head)
{
    return line_has(head, "PARTITION") && line_has(head, "NODELIST");
}

/* "[Feb23 16:24] message", "[  +0.000123] message" */
static bool is_dmesg_for_people(const struct head *head)
{
    return begins(head, "[") && head->line_length[1] > 3 && head->line[1][0] == '[' &&
           memmem(head->line[1], head->line_length[1] < 16 ? head->line_length[1] : 16, " +", 2);
}

static bool is_journal_for_others(const struct head *head)
{
    return has(head, "__CURSOR=") || has(head, "\n    _HOSTNAME=") ||
           has(head, "\n    _TRANSPORT=") ||
           (is_json(head) && has(head, "\"__REALTIME_TIMESTAMP\""));
}

static bool is_kernel_without_times(const struct head *head)
{
    return has(head, "NVRM: ") || has(head, "pcieport 0000:");
}

static bool is_partitions(const struct head *head)
{
    return begins(head, "PartitionName=");
}

/* ---- what is hindcast's own ---- */

static bool is_scenario(const struct head *head)
{
    return has(head, "\"hindcast/scenario/");
}

static bool is_site_file(const struct head *head)
{
    return has(head, "\"hindcast/site/");
}

static bool is_result(const struct head *head)
{
    return is_json(head) && has(head, "\"schema\": \"hindcast-");
}

static bool is_metadata(const struct head *head)
{
    const char *slash = strrchr(head->path, '/'), *base = slash ? slash + 1 : head->path;
    size_t length = strlen(base);
    return strncmp(base, "meta", 4) == 0 && length > 5 && strcmp(base + length - 5, ".yaml") == 0;
}

static bool is_csv_by_name(const char *path)
{
    static const char *const endings[] = {".csv", ".csv.gz", ".csv.zst", ".csv.xz"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && strcasecmp(path + length - n, endings[i]) == 0)
            return true;
    }
    return false;
}

/* By its name, or two commas at least between words, and as many in the second line. */
static bool is_csv(const struct head *head)
{
    size_t commas = count(head, 0, ',');
    bool is_words = head->line_length[0] > 0;
    for (size_t i = 0; i < head->line_length[0]; i++)
        is_words &= !strchr("|;:[]{}()=", head->line[0][i]) || !head->line[0][i];
    return is_csv_by_name(head->path) || (is_words && commas >= 2 && commas == count(head, 1, ','));
}

/* In the order in which they are looked for. */
static const struct {
    bool (*is_it)(const struct head *head);
    const char *advice;
} shapes[] = {
    {is_result, "is a result of hindcast, and no trace: results are not read again, but for "
                "'hindcast reproduce' and 'hindcast merge'"},
    {is_scenario, "is a scenario, and no trace: 'hindcast simulate' answers it"},
    {is_site_file, "is a site file, and no trace: give it to 'hindcast ingest --site'"},
    {is_metadata, "is metadata, and no trace: it is read with the trace beside it, or with --meta"},
    {is_utf16, "is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8"},
    {is_binary, "holds bytes that are no text, in none of the formats that 'hindcast formats' "
                "lists; convert it, or name its format"},
    {is_web_page, "is a web page, perhaps one that asks to log in, and no record; fetch the file "
                  "itself"},
    {is_error_of_slurm, "holds an error message of a command of Slurm in place of its output; run "
                        "the command again, with its messages elsewhere"},
    {is_sacct_for_people, "is what sacct prints for people, with values cut to the width of their "
                          "columns; dump with --parsable2, as 'hindcast formats slurm-sacct' says"},
    {is_sacct_without_header, "looks like records of sacct without a header, in no order that is "
                              "known; dump without --noheader, or put the line of the names of "
                              "the columns before them"},
    {is_sacct_json, "is the JSON of sacct, which is not read; dump with --parsable2, as 'hindcast "
                    "formats slurm-sacct' says"},
    {is_sinfo_json, "is the JSON of sinfo, which puts nodes together and is not read; dump with "
                    "'scontrol show node --json'"},
    {is_squeue_json, "is JSON about the jobs that Slurm has now, which is not read; dump with "
                     "sacct --parsable2, as 'hindcast formats slurm-sacct' says"},
    {is_squeue, "tells of the jobs that Slurm has now, and is not read; dump with sacct "
                "--parsable2, as 'hindcast formats slurm-sacct' says"},
    {is_sinfo_lists, "is a list of nodes of sinfo, which is read with a node a line and its "
                     "header; dump with 'sinfo --Node --long'"},
    {is_partitions, "tells of partitions, of which no records are made; GPUs and prices of "
                    "partitions belong in a site file (docs/site.md)"},
    {is_dmesg_for_people, "is what dmesg --human prints, in which times are differences; dump with "
                          "--time-format iso"},
    {is_journal_for_others, "is a journal in a form that is not read; dump with journalctl -k -o "
                            "json, or -o short-iso"},
    {is_json, "is JSON in none of the forms that 'hindcast formats' lists; " BY_MAP},
    {is_kernel_without_times,
     "has messages of the kernel in lines without a time or in a form that "
     "is not known; dump with dmesg --time-format iso, or journalctl -k "
     "-o short-iso"},
    {is_csv, "is a CSV whose columns are in none of the forms that 'hindcast formats' "
             "lists; " BY_MAP},
};

const char *hc_format_advice(const unsigned char *head, size_t length, const char *path)
{
    struct head looked = {.text = (const char *)head, .path = path};
    looked.length = length < LOOKED ? length : LOOKED;
    if (looked.length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0) {
        looked.text += 3;
        looked.length -= 3;
    }
    find_lines(&looked);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].is_it(&looked))
            return shapes[i].advice;
    return "is in none of the formats that 'hindcast formats' lists; convert it, or name its "
           "format";
}
