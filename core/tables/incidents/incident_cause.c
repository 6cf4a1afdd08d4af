#include "core/tables/incidents/incident_cause.h"

#include <string.h>

static const struct hc_incident_cause_info causes[HC_N_INCIDENT_CAUSES] = {
    [HC_CAUSE_GPU] = {"hardware.gpu", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "a GPU that fails, falls off the bus or reports errors"},
    [HC_CAUSE_GPU_MEMORY] = {"hardware.gpu_memory", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                             HC_CLASS_EXPLICIT, "device memory: HBM, SRAM, ECC errors"},
    [HC_CAUSE_GPU_LINK] = {"hardware.gpu_link", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "NVLink or PCIe between GPUs and the host"},
    [HC_CAUSE_SILENT_CORRUPTION] = {"hardware.silent_corruption", HC_DOMAIN_HARDWARE,
                                    HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_IMPLICIT,
                                    "wrong results without an error"},
    [HC_CAUSE_CPU] = {"hardware.cpu", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "host processor"},
    [HC_CAUSE_MEMORY] = {"hardware.memory", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                         HC_CLASS_EXPLICIT, "host memory"},
    [HC_CAUSE_STORAGE] = {"hardware.storage", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "disks, SSDs, controllers, storage networks"},
    [HC_CAUSE_NIC] = {"hardware.nic", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                      HC_CLASS_EXPLICIT, "network adapter of a node"},
    [HC_CAUSE_INTERCONNECT] = {"hardware.interconnect", HC_DOMAIN_HARDWARE,
                               HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                               "parts of the interconnect that the source counts as hardware"},
    [HC_CAUSE_POWER_SUPPLY] = {"hardware.power_supply", HC_DOMAIN_HARDWARE,
                               HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                               "power supply of a node"},
    [HC_CAUSE_COOLING] = {"hardware.cooling", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "fans, heat sinks, temperature of a node"},
    [HC_CAUSE_BOARD] = {"hardware.board", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                        HC_CLASS_EXPLICIT, "boards, backplanes, chassis"},
    [HC_CAUSE_HARDWARE_MAINTENANCE] = {"hardware.maintenance", HC_DOMAIN_HARDWARE,
                                       HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_MANUAL,
                                       "maintenance that the source counts as a hardware failure"},
    [HC_CAUSE_HARDWARE_OTHER] = {"hardware.other", HC_DOMAIN_HARDWARE, HC_ORIGIN_INFRASTRUCTURE,
                                 HC_CLASS_EXPLICIT, "other hardware"},
    [HC_CAUSE_OS] = {"software.os", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                     "operating system, kernel, drivers"},
    [HC_CAUSE_FIRMWARE] = {"software.firmware", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "firmware and its versions"},
    [HC_CAUSE_FILESYSTEM] = {"software.filesystem", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                             HC_CLASS_EXPLICIT, "local, parallel and distributed file systems"},
    [HC_CAUSE_SCHEDULER] = {"software.scheduler", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                            HC_CLASS_EXPLICIT, "scheduler, resource manager, containers"},
    [HC_CAUSE_LIBRARY] = {"software.library", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "libraries and dependencies under the job"},
    [HC_CAUSE_SERVICE] = {"software.service", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "services and tools that a node or a job needs"},
    [HC_CAUSE_COLLECTIVE] = {"software.collective", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN,
                             HC_CLASS_IMPLICIT,
                             "a collective operation that timed out, without a cause"},
    [HC_CAUSE_HANG] = {"software.hang", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "a job that goes on without progress"},
    [HC_CAUSE_SLOW] = {"software.slow", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "a job slower than it was"},
    [HC_CAUSE_RESOURCES] = {"software.resources", HC_DOMAIN_SOFTWARE, HC_ORIGIN_USER,
                            HC_CLASS_EXPLICIT, "host memory, processor or disk used up by the job"},
    [HC_CAUSE_PROGRAM] = {"software.program", HC_DOMAIN_SOFTWARE, HC_ORIGIN_USER, HC_CLASS_EXPLICIT,
                          "the user's own program"},
    [HC_CAUSE_LOSS] = {"software.loss", HC_DOMAIN_SOFTWARE, HC_ORIGIN_UNKNOWN, HC_CLASS_IMPLICIT,
                       "NaN or a loss that runs away"},
    [HC_CAUSE_SOFTWARE_MAINTENANCE] =
        {"software.maintenance", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_MANUAL,
         "installation and maintenance that the source counts as a software failure"},
    [HC_CAUSE_SOFTWARE_OTHER] = {"software.other", HC_DOMAIN_SOFTWARE, HC_ORIGIN_INFRASTRUCTURE,
                                 HC_CLASS_EXPLICIT, "other software"},
    [HC_CAUSE_LINK] = {"network.link", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                       HC_CLASS_EXPLICIT, "cables, optics, links"},
    [HC_CAUSE_SWITCH] = {"network.switch", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                         HC_CLASS_EXPLICIT, "switches, or switches and cables together"},
    [HC_CAUSE_NETWORK_OTHER] = {"network.other", HC_DOMAIN_NETWORK, HC_ORIGIN_INFRASTRUCTURE,
                                HC_CLASS_EXPLICIT, "other network failures"},
    [HC_CAUSE_POWER] = {"facilities.power", HC_DOMAIN_FACILITIES, HC_ORIGIN_INFRASTRUCTURE,
                        HC_CLASS_EXPLICIT, "power of the building, UPS"},
    [HC_CAUSE_CHILLER] = {"facilities.cooling", HC_DOMAIN_FACILITIES, HC_ORIGIN_INFRASTRUCTURE,
                          HC_CLASS_EXPLICIT, "cooling of the building"},
    [HC_CAUSE_FACILITIES_OTHER] = {"facilities.other", HC_DOMAIN_FACILITIES,
                                   HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                                   "other failures of the building"},
    [HC_CAUSE_OPERATOR] = {"human.operator", HC_DOMAIN_HUMAN, HC_ORIGIN_INFRASTRUCTURE,
                           HC_CLASS_EXPLICIT, "a mistake of those who run the cluster"},
    [HC_CAUSE_CODE_CHANGE] = {"planned.code_change", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED,
                              HC_CLASS_MANUAL, "a stop to change code, data or settings"},
    [HC_CAUSE_CHANGE] = {"planned.change", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED, HC_CLASS_MANUAL,
                         "a change of the cluster"},
    [HC_CAUSE_TEST] = {"planned.test", HC_DOMAIN_PLANNED, HC_ORIGIN_PLANNED, HC_CLASS_MANUAL,
                       "taken out for a test"},
    [HC_CAUSE_STRESS_TEST] = {"undetermined.stress_test", HC_DOMAIN_UNDETERMINED,
                              HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                              "a node that failed a stress test"},
    [HC_CAUSE_SUSPECT_NODE] = {"undetermined.suspect_node", HC_DOMAIN_UNDETERMINED,
                               HC_ORIGIN_UNKNOWN, HC_CLASS_MANUAL, "a node taken out on suspicion"},
    [HC_CAUSE_NODE_CRASH] = {"undetermined.node_crash", HC_DOMAIN_UNDETERMINED,
                             HC_ORIGIN_INFRASTRUCTURE, HC_CLASS_EXPLICIT,
                             "a node that went down, without a cause"},
    [HC_CAUSE_UNDETERMINED] = {"undetermined", HC_DOMAIN_UNDETERMINED, HC_ORIGIN_UNKNOWN,
                               HC_CLASS_EXPLICIT, "a cause was looked for and not found"},
    [HC_CAUSE_UNKNOWN] = {"unknown", HC_DOMAIN_UNKNOWN, HC_ORIGIN_UNKNOWN, HC_CLASS_EXPLICIT,
                          "nothing says, or the word is not known"},
};

static const char *const domains[HC_N_DOMAINS] = {
    "hardware", "software", "network", "facilities", "human", "planned", "undetermined", "unknown",
};
static const char *const origins[HC_N_ORIGINS] = {"infrastructure", "user", "planned", "unknown"};
static const char *const classes[HC_N_CLASSES] = {"explicit", "implicit", "manual"};

const struct hc_incident_cause_info *hc_incident_cause_info(enum hc_incident_cause cause)
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

int hc_incident_cause_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_N_INCIDENT_CAUSES; i++)
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
