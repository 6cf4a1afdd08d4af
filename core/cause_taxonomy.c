#include "core/cause_taxonomy.h"

#include <string.h>

static const struct hc_fault_cause_info causes[HC_N_FAULT_CAUSES] = {
    [HC_FAULT_GPU] = {"hardware.gpu", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "a GPU that fails, falls off the bus or reports errors"},
    [HC_FAULT_GPU_MEMORY] = {"hardware.gpu_memory", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                             HC_CLASS_EXPLICIT, "device memory: HBM, SRAM, ECC errors"},
    [HC_FAULT_GPU_LINK] = {"hardware.gpu_link", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "NVLink or PCIe between GPUs and the host"},
    [HC_FAULT_SILENT_CORRUPTION] = {"hardware.silent_corruption", HC_DOMAIN_HARDWARE,
                                    HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_IMPLICIT,
                                    "wrong results without an error"},
    [HC_FAULT_CPU] = {"hardware.cpu", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "host processor"},
    [HC_FAULT_MEMORY] = {"hardware.memory", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                         HC_CLASS_EXPLICIT, "host memory"},
    [HC_FAULT_STORAGE] = {"hardware.storage", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "disks, SSDs, controllers, storage networks"},
    [HC_FAULT_NIC] = {"hardware.nic", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "network adapter of a node"},
    [HC_FAULT_INTERCONNECT] = {"hardware.interconnect", HC_DOMAIN_HARDWARE,
                               HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                               "parts of the interconnect that the source counts as hardware"},
    [HC_FAULT_POWER_SUPPLY] = {"hardware.power_supply", HC_DOMAIN_HARDWARE,
                               HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                               "power supply of a node"},
    [HC_FAULT_COOLING] = {"hardware.cooling", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "fans, heat sinks, temperature of a node"},
    [HC_FAULT_BOARD] = {"hardware.board", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                        HC_CLASS_EXPLICIT, "boards, backplanes, chassis"},
    [HC_FAULT_HARDWARE_MAINTENANCE] = {"hardware.maintenance", HC_DOMAIN_HARDWARE,
                                       HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_MANUAL,
                                       "maintenance that the source counts as a hardware failure"},
    [HC_FAULT_HARDWARE_OTHER] = {"hardware.other", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                                 HC_CLASS_EXPLICIT, "other hardware"},
    [HC_FAULT_OS] = {"software.os", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                     "operating system, kernel, drivers"},
    [HC_FAULT_FIRMWARE] = {"software.firmware", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "firmware and its versions"},
    [HC_FAULT_FILESYSTEM] = {"software.filesystem", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                             HC_CLASS_EXPLICIT, "local, parallel and distributed file systems"},
    [HC_FAULT_SCHEDULER] = {"software.scheduler", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                            HC_CLASS_EXPLICIT, "scheduler, resource manager, containers"},
    [HC_FAULT_LIBRARY] = {"software.library", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "libraries and dependencies under the job"},
    [HC_FAULT_SERVICE] = {"software.service", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "services and tools that a node or a job needs"},
    [HC_FAULT_COLLECTIVE] = {"software.collective", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN,
                             HC_CLASS_IMPLICIT,
                             "a collective operation that timed out, without a cause"},
    [HC_FAULT_HANG] = {"software.hang", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "a job that goes on without progress"},
    [HC_FAULT_SLOW] = {"software.slow", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "a job slower than it was"},
    [HC_FAULT_RESOURCES] = {"software.resources", HC_DOMAIN_SOFTWARE, HC_ORIGIN_USER,
                            HC_CLASS_EXPLICIT, "host memory, processor or disk used up by the job"},
    [HC_FAULT_PROGRAM] = {"software.program", HC_DOMAIN_SOFTWARE, HC_ORIGIN_USER, HC_CLASS_EXPLICIT,
                          "the user's own program"},
    [HC_FAULT_LOSS] = {"software.loss", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "NaN or a loss that runs away"},
    [HC_FAULT_SOFTWARE_MAINTENANCE] =
        {"software.maintenance", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_MANUAL,
         "installation and maintenance that the source counts as a software failure"},
    [HC_FAULT_SOFTWARE_OTHER] = {"software.other", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                                 HC_CLASS_EXPLICIT, "other software"},
    [HC_FAULT_LINK] = {"network.link", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                       HC_CLASS_EXPLICIT, "cables, optics, links"},
    [HC_FAULT_SWITCH] = {"network.switch", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                         HC_CLASS_EXPLICIT, "switches, or switches and cables together"},
    [HC_FAULT_NETWORK_OTHER] = {"network.other", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                                HC_CLASS_EXPLICIT, "other network failures"},
    [HC_FAULT_POWER] = {"facilities.power", HC_DOMAIN_FACILITIES, HC_ORIGIN_INFRASTRUCTURE,
                        HC_CLASS_EXPLICIT, "power of the building, UPS"},
    [HC_FAULT_CHILLER] = {"facilities.cooling", HC_DOMAIN_FACILITIES, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "cooling of the building"},
    [HC_FAULT_FACILITIES_OTHER] = {"facilities.other", HC_DOMAIN_FACILITIES,
                                   HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                                   "other failures of the building"},
    [HC_FAULT_OPERATOR] = {"human.operator", HC_DOMAIN_HUMAN, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "a mistake of those who run the cluster"},
    [HC_FAULT_CODE_CHANGE] = {"planned.code_change", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED,
                              HC_CLASS_MANUAL, "a stop to change code, data or settings"},
    [HC_FAULT_CHANGE] = {"planned.change", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED, HC_CLASS_MANUAL,
                         "a change of the cluster"},
    [HC_FAULT_TEST] = {"planned.test", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED, HC_CLASS_MANUAL,
                       "taken out for a test"},
    [HC_FAULT_STRESS_TEST] = {"undetermined.stress_test", HC_DOMAIN_UNDETERMINED,
                              HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                              "a node that failed a stress test"},
    [HC_FAULT_SUSPECT_NODE] = {"undetermined.suspect_node", HC_DOMAIN_UNDETERMINED,
                               HC_ORIGIN_UNKNOWN, HC_CLASS_MANUAL, "a node taken out on suspicion"},
    [HC_FAULT_NODE_CRASH] = {"undetermined.node_crash", HC_DOMAIN_UNDETERMINED,
                             HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                             "a node that went down, without a cause"},
    [HC_FAULT_UNDETERMINED] = {"undetermined", HC_DOMAIN_UNDETERMINED, HC_ORIGIN_UNKNOWN,
                               HC_CLASS_EXPLICIT, "a cause was looked for and not found"},
    [HC_FAULT_UNKNOWN] = {"unknown", HC_DOMAIN_UNKNOWN, HC_ORIGIN_UNKNOWN, HC_CLASS_EXPLICIT,
                          "nothing says, or the word is not known"},
};

static const char *const domains[HC_N_DOMAINS] = {
    "hardware", "software", "network", "facilities", "human", "planned", "undetermined", "unknown",
};
static const char *const origins[HC_N_ORIGINS] = {"infrastructure", "user", "planned", "unknown"};
static const char *const classes[HC_N_CLASSES] = {"explicit", "implicit", "manual"};

const struct hc_fault_cause_info *hc_fault_cause_info(enum hc_fault_cause cause)
{
    return &causes[cause];
}

const char *hc_fault_domain_name(enum hc_fault_domain domain)
{
    return domains[domain];
}

const char *hc_fault_origin_name(enum hc_fault_origin origin)
{
    return origins[origin];
}

const char *hc_incident_class_name(enum hc_incident_class class)
{
    return classes[class];
}

static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

int hc_fault_cause_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_N_FAULT_CAUSES; i++)
        if (is_name(causes[i].name, name, length))
            return i;
    return -1;
}

int hc_incident_class_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_N_CLASSES; i++)
        if (is_name(classes[i], name, length))
            return i;
    return -1;
}
