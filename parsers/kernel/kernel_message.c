#include "parsers/kernel/kernel_message.h"

#include "core/base/memory.h"
#include "core/tables/events/xid_catalogue.h"
#include "core/text/needle_set.h"

#include <stdlib.h>
#include <string.h>

typedef struct hc_event_text text;

/* Reads what stands in a message; `at` is where the literal of the rule does. False: no event. */
typedef bool reader(text message, const char *at, struct hc_event *event);

struct rule {
    const char *literal;
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    const char *name; /* or NULL */
    reader *read;     /* or NULL: nothing further is in it */
};

struct hc_kernel_rules {
    struct hc_needle_set *needles;
};

/* ---- pieces of messages ---- */

/* Messages are short: memmem would take longer to make itself ready than to look. */
static const char *find(text message, const char *what)
{
    size_t n = strlen(what);
    const char *at = message.text, *end = message.text + message.length;
    while ((size_t)(end - at) >= n && (at = memchr(at, *what, (size_t)(end - at) - n + 1))) {
        if (memcmp(at, what, n) == 0)
            return at;
        at++;
    }
    return NULL;
}

static text behind(text message, const char *what)
{
    const char *at = find(message, what);
    if (!at)
        return (text){message.text + message.length, 0};
    at += strlen(what);
    return (text){at, (size_t)(message.text + message.length - at)};
}

static inline bool is_one_of(char c, const char *letters)
{
    while (*letters && *letters != c)
        letters++;
    return *letters;
}

/* Up to one of the letters of `ends`, or the end of the message. */
static inline text until(text rest, const char *ends)
{
    size_t n = 0;
    while (n < rest.length && !is_one_of(rest.text[n], ends))
        n++;
    return (text){rest.text, n};
}

/* Plain digits from the beginning on. */
static bool number(text rest, int64_t *value)
{
    size_t n = 0;
    int64_t sum = 0;
    for (; n < rest.length && rest.text[n] >= '0' && rest.text[n] <= '9' && n < 18; n++)
        sum = sum * 10 + (rest.text[n] - '0');
    if (n == 0)
        return false;
    *value = sum;
    return true;
}

static bool code_of(text rest, struct hc_event *event)
{
    int64_t code;
    if (!number(rest, &code) || code > INT32_MAX)
        return false;
    event->code = (int32_t)code;
    return true;
}

/* "0000:9b:00" of "0000:9b:00.0": functions of a GPU are one device. */
static text pci_device(text rest)
{
    text address = until(rest, ") ,;");
    if (address.length && address.text[address.length - 1] == ':')
        address.length--;
    if (address.length > 2 && address.text[address.length - 2] == '.')
        address.length -= 2;
    return address;
}

/* "pid=1234, name=python3, " of Xid lines: quotes and angle brackets where the driver knows none */
static void put_process(text message, struct hc_event *event)
{
    text pid = behind(message, "pid="), name = behind(message, "name=");
    if (pid.length && *pid.text == '\'')
        pid = (text){pid.text + 1, pid.length - 1};
    number(pid, &event->pid);
    name = until(name, ",");
    if (name.length && *name.text != '<')
        event->process = name;
}

/* "python3[1234]" before a colon */
static void put_leading_process(text message, struct hc_event *event)
{
    text name = until(message, "[");
    if (name.length == message.length)
        return;
    event->process = name;
    number((text){name.text + name.length + 1, message.length - name.length - 1}, &event->pid);
}

static bool begins(text message, const char *with)
{
    size_t length = strlen(with);
    return message.length >= length && memcmp(message.text, with, length) == 0;
}

/* ---- readers of rules ---- */

enum { XID_NVLINK = 74, XID_NVLINK_SAW = 144, XID_NVLINK_MSE = 150 };

/* Of errors of links the line says whether they are fatal: "NETIR_LINK_EVT  Fatal", "severity
 * Nonfatal", "NVLink: fatal error detected". */
static void put_severity(text rest, struct hc_event *event)
{
    if (find(rest, "Nonfatal") || find(rest, "Non-fatal") || find(rest, "non-fatal"))
        event->effect = HC_EFFECT_INFORMS;
    else if (find(rest, "Fatal") || find(rest, "fatal error"))
        event->effect = HC_EFFECT_STOPS;
}

/* NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s */
static bool read_xid(text message, const char *at, struct hc_event *event)
{
    text rest = {at, (size_t)(message.text + message.length - at)};
    text address = behind(rest, "Xid (");
    if (begins(address, "PCI:"))
        address = (text){address.text + 4, address.length - 4};
    event->device = pci_device(address);
    text code = behind(rest, "): ");
    if (!code_of(code, event))
        return false;
    const struct hc_xid *xid = hc_xid_find(event->code);
    event->effect = xid ? xid->effect : HC_EFFECT_MAY_STOP;
    if (event->code == XID_NVLINK ||
        (event->code >= XID_NVLINK_SAW && event->code <= XID_NVLINK_MSE))
        put_severity(rest, event);
    if (xid)
        event->name = (text){xid->name, strlen(xid->name)};
    put_process(code, event);
    return true;
}

/* What a line about a switch calls its error: the words behind ", Link 45 ". */
static text sxid_name(text rest)
{
    text link = behind(rest, ", Link ");
    text words = behind(link, " ");
    const char *first = find(words, " (First)");
    if (first)
        words.length = (size_t)(first - words.text);
    while (words.length && words.text[words.length - 1] == ' ')
        words.length--;
    return words;
}

/* nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 24007, Fatal, Link 45 sourcetrack timeout error. The
 * lines below it (", Severity 1 Engine instance 44 ...", ", Data {0x00, ...}") are no errors of
 * their own. */
static bool read_sxid(text message, const char *at, struct hc_event *event)
{
    text rest = {at, (size_t)(message.text + message.length - at)};
    text address = behind(rest, "SXid (");
    if (begins(address, "PCI:"))
        address = (text){address.text + 4, address.length - 4};
    event->device = pci_device(address);
    if (!code_of(behind(rest, "): "), event) || find(rest, ", Severity ") || find(rest, ", Data {"))
        return false;
    event->name = sxid_name(rest);
    event->effect = find(rest, "Non-fatal") ? HC_EFFECT_INFORMS
                    : find(rest, "Fatal")   ? HC_EFFECT_STOPS
                                            : HC_EFFECT_MAY_STOP;
    return true;
}

/* NVRM: GPU 0000:18:00.0: GPU has fallen off the bus. */
static bool read_gpu(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text address = behind(message, "GPU ");
    text word = until(address, " ,;)");
    if (memchr(word.text, ':', word.length) && word.length > 6)
        event->device = pci_device(address);
    return true;
}

/* mlx5_core 0000:5e:00.0 ib0: Link down; infiniband mlx5_0: Port: 1 Link DOWN; eth0: NIC Link is
 * Down: of an adapter for InfiniBand, or else of Ethernet. */
static bool read_link(text message, const char *at, struct hc_event *event)
{
    text before = {message.text, (size_t)(at - message.text)};
    bool is_adapter = find(before, "mlx") || find(before, "infiniband") || begins(before, "ib") ||
                      find(before, " ib");
    if (!is_adapter)
        event->event_class = HC_EVENT_ETHERNET;
    text device = message;
    if (begins(message, "mlx5_core ") || begins(message, "mlx4_core "))
        device = behind(message, "_core ");
    else if (begins(message, "infiniband "))
        device = behind(message, "infiniband ");
    else if (begins(behind(message, " "), "0000:")) /* "i40e 0000:18:00.0 eno1: ..." */
        device = behind(message, " ");
    device = until(device, " ");
    if (device.length && device.text[device.length - 1] == ':')
        device.length--;
    event->device = device;
    return true;
}

/* pcieport 0000:00:01.0: AER: Uncorrected (Fatal) error received: 0000:03:00.0; the address that
 * stands last is of the device that erred. */
static bool read_aer(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text received = behind(message, "error received: ");
    if (!received.length) /* Linux 6.12 */
        received = behind(message, "error message received from ");
    text device = received.length ? received : behind(message, "pcieport ");
    if (!device.length) { /* "mlx5_core 0000:5e:00.0: PCIe Bus Error: severity=..." */
        device = behind(message, " ");
    }
    if (memchr(device.text, ':', device.length))
        event->device = pci_device(device);
    event->effect = find(message, "orrected error") || find(message, "orrectable error") ||
                            find(message, "severity=Corrected")
                        ? HC_EFFECT_INFORMS
                        : HC_EFFECT_MAY_STOP;
    if (find(message, "Uncorrected") || find(message, "Uncorrectable"))
        event->effect = find(message, "(Fatal)") ? HC_EFFECT_STOPS : HC_EFFECT_MAY_STOP;
    return true;
}

/* {1}[Hardware Error]: event severity: corrected */
static bool read_hardware_error(text message, const char *at, struct hc_event *event)
{
    (void)at;
    if (find(message, "corrected") && !find(message, "uncorrected"))
        event->effect = HC_EFFECT_INFORMS;
    return true;
}

/* amdgpu 0000:03:00.0: amdgpu: GPU reset begin!; habanalabs 0000:19:00.0: ... */
static bool read_accelerator(text message, const char *at, struct hc_event *event)
{
    text word = behind(message, begins(message, "habanalabs") ? "habanalabs " : "amdgpu ");
    word = until(word, " ");
    if (memchr(word.text, ':', word.length) && word.length > 6)
        event->device = pci_device(word);
    if (memcmp(at, "correctable hardware errors", 20) == 0 && at > message.text + 1 &&
        memcmp(at - 2, "un", 2) == 0)
        event->effect = HC_EFFECT_HARDWARE;
    return true;
}

/* nvme nvme0: I/O 123 QID 4 timeout, reset controller */
static bool read_nvme(text message, const char *at, struct hc_event *event)
{
    (void)at;
    if (!begins(message, "nvme "))
        return false;
    event->device = until(behind(message, "nvme "), ": ");
    return true;
}

/* CPU12: Core temperature above threshold, cpu clock throttled */
static bool read_temperature(text message, const char *at, struct hc_event *event)
{
    (void)at;
    event->device = until(message, ":");
    return true;
}

/* EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 */
static bool read_edac(text message, const char *at, struct hc_event *event)
{
    (void)at;
    bool is_corrected = find(message, " CE ") != NULL;
    if (!is_corrected && !find(message, " UE "))
        return false; /* the driver says that it is there */
    event->device = until(behind(message, "EDAC "), ": ");
    event->effect = is_corrected ? HC_EFFECT_INFORMS : HC_EFFECT_HARDWARE;
    return true;
}

/* Out of memory: Killed process 12345 (python3) total-vm:..., also of a control group */
static bool read_oom_kill(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text process = behind(message, "rocess ");
    if (!number(process, &event->pid))
        return false;
    event->process = until(behind(process, "("), ")");
    if (find(message, "cgroup")) { /* the job's own limit */
        event->effect = HC_EFFECT_PROGRAM;
        event->name = (text){"cgroup", 6};
    }
    return true;
}

/* oom-kill:constraint=CONSTRAINT_MEMCG,...,task=python,pid=12345,uid=1000: before it is killed */
static bool read_oom_choice(text message, const char *at, struct hc_event *event)
{
    (void)at;
    event->process = until(behind(message, ",task="), ",");
    number(behind(message, ",pid="), &event->pid);
    return true;
}

/* INFO: task python:1234 blocked for more than 120 seconds. */
static bool read_hung_task(text message, const char *at, struct hc_event *event)
{
    text task = behind((text){message.text, (size_t)(at - message.text)}, "task ");
    text name = until(task, " ");
    while (name.length && name.text[name.length - 1] != ':')
        name.length--;
    if (name.length)
        number((text){name.text + name.length, task.length - name.length}, &event->pid);
    event->process = (text){name.text, name.length ? name.length - 1 : 0};
    return true;
}

/* nfs: server filer01 not responding, still trying */
static bool read_server(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text server = behind(message, "server ");
    if (!server.length)
        return false;
    event->device = until(server, " ");
    return true;
}

/* python3[2536443]: segfault at 7f797fe00000 ip ... error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]
 */
static bool read_segfault(text message, const char *at, struct hc_event *event)
{
    text rest = {at, (size_t)(message.text + message.length - at)};
    text library = behind(rest, " in ");
    if (at == message.text) { /* of the kernel itself: it names no process */
        event->event_class = HC_EVENT_PANIC;
        event->effect = HC_EFFECT_MAY_STOP;
        event->name = (text){"oops", 4};
        return true;
    }
    text process = begins(message, "traps: ") ? behind(message, "traps: ") : message;
    put_leading_process(process, event);
    code_of(behind(rest, " error "), event);
    event->name = until(library, "[ ");
    return true;
}

/* blk_update_request: I/O error, dev nvme0n1, sector 0 */
static bool read_disk(text message, const char *at, struct hc_event *event)
{
    (void)at;
    event->device = until(behind(message, "dev "), ", ");
    return true;
}

/* EXT4-fs error (device nvme0n1p1): ...; XFS (sda1): Corruption detected */
static bool read_damage(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text device = find(message, "(device ") ? behind(message, "(device ") : behind(message, "(");
    event->device = until(device, "): ");
    return true;
}

/* watchdog: BUG: soft lockup - CPU#4 stuck for 22s! [python3:1234] */
static bool read_lockup(text message, const char *at, struct hc_event *event)
{
    (void)at;
    text task = behind(message, "! [");
    text name = until(task, "]:");
    event->process = name;
    if (name.length < task.length)
        number((text){name.text + name.length + 1, task.length - name.length - 1}, &event->pid);
    return true;
}

/* Of a message that several rules know, the first is taken. */
static const struct rule rules_table[] = {
    {"NVRM: Xid (", HC_EVENT_XID, HC_EFFECT_MAY_STOP, NULL, read_xid},
    {"SXid (PCI", HC_EVENT_SXID, HC_EFFECT_MAY_STOP, NULL, read_sxid},
    {"has fallen off the bus", HC_EVENT_GPU_LOST, HC_EFFECT_STOPS, NULL, read_gpu},
    {"uvm encountered global fatal error", HC_EVENT_GPU_LOST, HC_EFFECT_STOPS, "uvm_fatal", NULL},
    {"RmInitAdapter failed", HC_EVENT_GPU_LOST, HC_EFFECT_MAY_STOP, "init_failed", read_gpu},
    {"knvlinkCore", HC_EVENT_NVLINK, HC_EFFECT_INFORMS, NULL, NULL},
    {"nvidia-nvlink: ", HC_EVENT_NVLINK, HC_EFFECT_INFORMS, NULL, NULL},
    {"Link down", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "link_down", read_link},
    {"Link DOWN", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "link_down", read_link},
    {"link down", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "link_down", read_link},
    {"Link is Down", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "link_down", read_link},
    {"Link up", HC_EVENT_INFINIBAND, HC_EFFECT_INFORMS, "link_up", read_link},
    {"Link is Up", HC_EVENT_INFINIBAND, HC_EFFECT_INFORMS, "link_up", read_link},
    {"health compromised", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "adapter_health", read_link},
    {"Port module event[error]", HC_EVENT_INFINIBAND, HC_EFFECT_MAY_STOP, "port_module", read_link},
    {"PCIe Bus Error", HC_EVENT_PCIE, HC_EFFECT_MAY_STOP, NULL, read_aer},
    {"AER: Correct", HC_EVENT_PCIE, HC_EFFECT_INFORMS, NULL, read_aer},
    {"AER: Multiple", HC_EVENT_PCIE, HC_EFFECT_INFORMS, NULL, read_aer},
    {"AER: Uncorrect", HC_EVENT_PCIE, HC_EFFECT_MAY_STOP, NULL, read_aer},
    {"EDAC MC", HC_EVENT_MCE, HC_EFFECT_INFORMS, "memory", read_edac},
    {"[Hardware Error]", HC_EVENT_MCE, HC_EFFECT_HARDWARE, "machine_check", read_hardware_error},
    {"temperature above threshold", HC_EVENT_MCE, HC_EFFECT_INFORMS, "throttled", read_temperature},
    {"Out of memory: Kill", HC_EVENT_OOM_KILLER, HC_EFFECT_STOPS, NULL, read_oom_kill},
    {"out of memory: Kill", HC_EVENT_OOM_KILLER, HC_EFFECT_STOPS, NULL, read_oom_kill},
    {"oom-kill:constraint", HC_EVENT_OOM_KILLER, HC_EFFECT_INFORMS, "chosen", read_oom_choice},
    {"oom_reaper: reaped", HC_EVENT_OOM_KILLER, HC_EFFECT_CLEANUP, "reaped", read_oom_kill},
    {"blocked for more than", HC_EVENT_HUNG_TASK, HC_EFFECT_MAY_STOP, "blocked", read_hung_task},
    {"soft lockup", HC_EVENT_HUNG_TASK, HC_EFFECT_MAY_STOP, "soft_lockup", read_lockup},
    {"hard LOCKUP", HC_EVENT_HUNG_TASK, HC_EFFECT_STOPS, "hard_lockup", NULL},
    {"detected stall", HC_EVENT_HUNG_TASK, HC_EFFECT_MAY_STOP, "rcu_stall", NULL},
    {"self-detected stall", HC_EVENT_HUNG_TASK, HC_EFFECT_MAY_STOP, "rcu_stall", NULL},
    {"BUG: kernel NULL pointer", HC_EVENT_PANIC, HC_EFFECT_MAY_STOP, "oops", NULL},
    {"BUG: unable to handle", HC_EVENT_PANIC, HC_EFFECT_MAY_STOP, "oops", NULL},
    {"Kernel panic", HC_EVENT_PANIC, HC_EFFECT_STOPS, NULL, NULL},
    {" not responding", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "not_responding", read_server},
    {"LustreError", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "lustre", NULL},
    {"was lost; in progress operations", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP,
     "lustre_connection_lost", NULL},
    {"mmfs: [E]", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "gpfs", NULL},
    {"mmfs: [X]", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "gpfs", NULL},
    {"metadata I/O error", HC_EVENT_FILESYSTEM, HC_EFFECT_HARDWARE, "damage", read_damage},
    {"Shutting down filesystem", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "shut_down", read_damage},
    {"BTRFS error", HC_EVENT_FILESYSTEM, HC_EFFECT_HARDWARE, "damage", read_damage},
    {"EXT4-fs error", HC_EVENT_FILESYSTEM, HC_EFFECT_HARDWARE, "damage", read_damage},
    {"Corruption", HC_EVENT_FILESYSTEM, HC_EFFECT_HARDWARE, "damage", read_damage},
    {"Remounting filesystem read-only", HC_EVENT_FILESYSTEM, HC_EFFECT_MAY_STOP, "read_only",
     read_damage},
    {"I/O error, dev ", HC_EVENT_DISK, HC_EFFECT_HARDWARE, "io_error", read_disk},
    {"I/O error on dev ", HC_EVENT_DISK, HC_EFFECT_HARDWARE, "io_error", read_disk},
    {"medium error, dev ", HC_EVENT_DISK, HC_EFFECT_HARDWARE, "medium_error", read_disk},
    {"controller is down; will reset", HC_EVENT_DISK, HC_EFFECT_HARDWARE, "controller_down",
     read_nvme},
    {"timeout, aborting", HC_EVENT_DISK, HC_EFFECT_MAY_STOP, "timeout", read_nvme},
    {"timeout, reset controller", HC_EVENT_DISK, HC_EFFECT_MAY_STOP, "timeout", read_nvme},
    {"amdgpu: GPU reset begin", HC_EVENT_GPU_LOST, HC_EFFECT_STOPS, "gpu_reset", read_accelerator},
    {"signaled seq=", HC_EVENT_GPU_LOST, HC_EFFECT_MAY_STOP, "ring_timeout", read_accelerator},
    {"correctable hardware errors detected", HC_EVENT_GPU_LOST, HC_EFFECT_INFORMS, "ecc",
     read_accelerator},
    {"device heartbeat has failed", HC_EVENT_GPU_LOST, HC_EFFECT_STOPS, "heartbeat",
     read_accelerator},
    {"segfault at ", HC_EVENT_SEGFAULT, HC_EFFECT_PROGRAM, NULL, read_segfault},
    {"general protection fault", HC_EVENT_SEGFAULT, HC_EFFECT_PROGRAM, NULL, read_segfault},
};
#define N_RULES (sizeof rules_table / sizeof *rules_table)

enum hc_status hc_kernel_rules_make(struct hc_kernel_rules **rules, struct hc_error *err)
{
    struct hc_needle needles[N_RULES];
    for (size_t i = 0; i < N_RULES; i++)
        needles[i] = (struct hc_needle){rules_table[i].literal, strlen(rules_table[i].literal)};
    *rules = hc_new_array(1, sizeof **rules, err);
    if (*rules && hc_needle_set_make(&(*rules)->needles, needles, N_RULES, err)) {
        free(*rules);
        *rules = NULL;
    }
    return err->status;
}

void hc_kernel_rules_free(struct hc_kernel_rules *rules)
{
    if (rules)
        hc_needle_set_free(rules->needles);
    free(rules);
}

bool hc_kernel_may_match(const struct hc_kernel_rules *rules, const char *line, size_t length)
{
    size_t at = 0;
    return hc_needle_set_find(rules->needles, line, length, &at) >= 0;
}

bool hc_kernel_message_read(const struct hc_kernel_rules *rules, struct hc_event_text message,
                            struct hc_event *event)
{
    int32_t best = -1;
    const char *place = NULL;
    for (size_t at = 0; at < message.length;) {
        int32_t found = hc_needle_set_find(rules->needles, message.text, message.length, &at);
        if (found >= 0 && (best < 0 || found < best)) {
            best = found;
            place = message.text + at - 1;
        }
    }
    if (best < 0)
        return false;
    const struct rule *rule = &rules_table[best];
    event->event_class = rule->event_class;
    event->effect = rule->effect;
    event->message = message;
    if (rule->name)
        event->name = (text){rule->name, strlen(rule->name)};
    return !rule->read || rule->read(message, place, event);
}
