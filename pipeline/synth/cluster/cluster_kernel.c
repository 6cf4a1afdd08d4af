#include "pipeline/synth/cluster/cluster_writers.h"

#include "core/base/memory.h"
#include "pipeline/synth/cluster/cluster_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PID 20000

/* ---- lines ---- */

static enum hc_status add(struct hc_cluster_kernel_lines *lines, struct hc_cluster_kernel_line line,
                          struct hc_error *err)
{
    if (hc_reserve(&lines->lines, &lines->capacity, lines->n + 1, sizeof *lines->lines, err))
        return err->status;
    lines->lines[lines->n++] = line;
    return HC_OK;
}

static struct hc_cluster_kernel_line xid(int64_t time_s, int32_t node, int32_t gpu, int32_t code,
                                         const char *text)
{
    return (struct hc_cluster_kernel_line){.time_s = time_s,
                                           .node = node,
                                           .device = gpu,
                                           .code = code,
                                           .pid = FIRST_PID + node * HC_CLUSTER_GPUS + gpu,
                                           .process = "python3",
                                           .text = text};
}

static enum hc_status add_fault(struct hc_cluster_kernel_lines *lines,
                                const struct hc_cluster_fault *fault, struct hc_error *err)
{
    int64_t at_s = fault->time_s;
    int32_t node = fault->node, gpu = fault->gpu;
    switch (fault->kind) {
    case HC_CLUSTER_GPU_LOST: /* said twice within five seconds */
        return add(lines, xid(at_s, node, gpu, 79, "GPU has fallen off the bus."), err)
                   ? err->status
                   : add(lines, xid(at_s + 2, node, gpu, 79, "GPU has fallen off the bus."), err);
    case HC_CLUSTER_ECC:
        return add(lines,
                   xid(at_s, node, gpu, 48,
                       "An uncorrectable double bit error (DBE) has been detected on GPU in the "
                       "framebuffer at physical address 0x1f2a."),
                   err)
                   ? err->status
                   : add(lines, xid(at_s + 3, node, gpu, 45, "Ch 00000008"), err);
    case HC_CLUSTER_NVLINK:
        return add(lines,
                   xid(at_s, node, gpu, 74, "NVLink: fatal error detected on link 6(0x10000, 0x0)"),
                   err);
    case HC_CLUSTER_LINK:
    case HC_CLUSTER_SWITCH:
        for (int32_t k = 0; k < fault->n_nodes; k++)
            if (add(lines,
                    (struct hc_cluster_kernel_line){.time_s = at_s,
                                                    .node = node + k,
                                                    .device = HC_CLUSTER_NONE,
                                                    .text = "ib0: Link down"},
                    err))
                return err->status;
        return HC_OK;
    case HC_CLUSTER_NODE_DOWN: /* it has no time to say anything */
    case HC_CLUSTER_N_FAULTS:
        break;
    }
    return HC_OK;
}

static enum hc_status add_stray(struct hc_cluster_kernel_lines *lines,
                                const struct hc_cluster_stray *stray, struct hc_error *err)
{
    struct hc_cluster_kernel_line line =
        xid(stray->time_s, stray->node, stray->gpu, stray->code, "Ch 00000010");
    if (stray->is_of_tool) {
        line.process = "nvidia-smi";
        line.pid = FIRST_PID - 1;
        line.text = "Ch 00000003, intr 10000000. MMU Fault: ENGINE GRAPHICS faulted";
    }
    return add(lines, line, err);
}

static int compare_lines(const void *a, const void *b)
{
    const struct hc_cluster_kernel_line *x = a, *y = b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

enum hc_status hc_cluster_kernel_lines_make(struct hc_cluster_kernel_lines *lines,
                                            const struct hc_cluster *cluster, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    *lines = (struct hc_cluster_kernel_lines){0};
    for (size_t i = 0; i < cluster->n_faults && !status; i++)
        if (cluster->faults[i].time_s <= cluster->end_s)
            status = add_fault(lines, &cluster->faults[i], err);
    for (size_t i = 0; i < cluster->n_strays && !status; i++)
        status = add_stray(lines, &cluster->strays[i], err);
    if (status)
        free(lines->lines);
    else if (lines->n)
        qsort(lines->lines, lines->n, sizeof *lines->lines, compare_lines);
    return status;
}

/* ---- dialects ---- */

static void put_message(FILE *stream, const struct hc_cluster_kernel_line *line)
{
    if (line->device == HC_CLUSTER_NONE)
        fprintf(stream, "mlx5_core 0000:5e:00.0 %s", line->text);
    else
        fprintf(stream, "NVRM: Xid (PCI:0000:%02x:00): %d, pid=%d, name=%s, %s",
                0x18 + line->device * 0x11, line->code, line->pid, line->process, line->text);
}

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

static void put_bsd(FILE *stream, const struct hc_cluster_kernel_line *line,
                    const struct hc_zone *zone)
{
    char text[64] = "";
    FILE *memory = fmemopen(text, sizeof text, "w");
    if (!memory)
        return;
    hc_cluster_put_time(memory, zone, line->time_s, ' ');
    fclose(memory);
    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
    fprintf(stream, "%.3s %2d %s ", months + 3 * (month - 1), day, text + 11);
    hc_cluster_put_node(stream, line->node);
    fputs(" kernel: ", stream);
    put_message(stream, line);
}

static void put_unix_header(FILE *stream, const struct hc_cluster_kernel_line *line,
                            const char *before, const char *zone, const char *between)
{
    fputs(before, stream);
    hc_cluster_put_time(stream, NULL, line->time_s, 'T');
    fprintf(stream, "%s ", zone);
    hc_cluster_put_node(stream, line->node);
    fputs(between, stream);
    put_message(stream, line);
}

static void put_journal(FILE *stream, const struct hc_cluster_kernel_line *line)
{
    fprintf(stream, "{\"__REALTIME_TIMESTAMP\":\"%" PRId64 "000000\",\"_HOSTNAME\":\"",
            line->time_s);
    hc_cluster_put_node(stream, line->node);
    fputs("\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":\"kernel\",\"MESSAGE\":\"", stream);
    put_message(stream, line);
    fputs("\"}", stream);
}

static void put_log_store(FILE *stream, const struct hc_cluster_kernel_line *line)
{
    fputs("{\"@timestamp\":\"", stream);
    hc_cluster_put_time(stream, NULL, line->time_s, 'T');
    fputs("Z\",\"host\":\"", stream);
    hc_cluster_put_node(stream, line->node);
    fputs("\",\"message\":\"", stream);
    put_message(stream, line);
    fputs("\"}", stream);
}

void hc_cluster_write_kernel(FILE *stream, const struct hc_cluster_kernel_lines *lines,
                             enum hc_cluster_kernel_dialect dialect, const struct hc_zone *zone)
{
    for (size_t i = 0; i < lines->n; i++) {
        const struct hc_cluster_kernel_line *line = &lines->lines[i];
        switch (dialect) {
        case HC_CLUSTER_SYSLOG_BSD:
            put_bsd(stream, line, zone);
            break;
        case HC_CLUSTER_JOURNAL:
            put_journal(stream, line);
            break;
        case HC_CLUSTER_LOG_STORE:
            put_log_store(stream, line);
            break;
        case HC_CLUSTER_JOURNAL_TEXT:
            put_unix_header(stream, line, "", "+0000", " kernel: ");
            break;
        case HC_CLUSTER_SYSLOG_5424:
            put_unix_header(stream, line, "<4>1 ", "Z", " kernel - - - ");
            break;
        case HC_CLUSTER_SYSLOG_ISO:
            put_unix_header(stream, line, "", "+00:00", " kernel: ");
            break;
        }
        fputc('\n', stream);
    }
}

/* ---- dmesg, of one node ---- */

/* "Sun Mar  1 23:47:36 2026" */
static void put_ctime(FILE *stream, const struct hc_zone *zone, int64_t time_s)
{
    static const char names[] = "ThuFriSatSunMonTueWed";
    char text[64] = "";
    FILE *memory = fmemopen(text, sizeof text, "w");
    if (!memory)
        return;
    hc_cluster_put_time(memory, zone, time_s, ' ');
    fclose(memory);
    int64_t local_s = time_s + (zone ? hc_zone_offset_s(zone, time_s) : 0);
    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
    fprintf(stream, "%.3s %.3s %2d %s %.4s", names + 3 * (local_s / 86400 % 7),
            months + 3 * (month - 1), day, text + 11, text);
}

static void put_dmesg(FILE *stream, const struct hc_cluster_kernel_line *line,
                      enum hc_cluster_dmesg_dialect dialect, const struct hc_cluster_boot *boot)
{
    if (dialect == HC_CLUSTER_DMESG_ISO) {
        fputs("kern  :warn  : ", stream);
        hc_cluster_put_time(stream, NULL, line->time_s, 'T');
        fputs(",000000+00:00 ", stream);
    } else if (dialect == HC_CLUSTER_DMESG_TIME) {
        fputc('[', stream);
        put_ctime(stream, boot->zone, line->time_s);
        fputs("] ", stream);
    } else {
        fprintf(stream, "[%5" PRId64 ".000000] ", line->time_s - boot->at_s);
    }
    put_message(stream, line);
    fputc('\n', stream);
}

void hc_cluster_write_dmesg(FILE *stream, const struct hc_cluster_kernel_lines *lines, int32_t node,
                            enum hc_cluster_dmesg_dialect dialect,
                            const struct hc_cluster_boot *boot)
{
    bool has_any = false;
    for (size_t i = 0; i < lines->n; i++) {
        if (lines->lines[i].node != node)
            continue;
        if (!has_any && dialect == HC_CLUSTER_DMESG_BOOT) {
            fputs("[    2.000000] rtc_cmos 00:00: setting system clock to ", stream);
            hc_cluster_put_time(stream, NULL, boot->at_s + 2, 'T');
            fprintf(stream, " UTC (%" PRId64 ")\n", boot->at_s + 2);
        }
        put_dmesg(stream, &lines->lines[i], dialect, boot);
        has_any = true;
    }
}
