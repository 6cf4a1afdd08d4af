#include "core/tables/incidents/incident_cause_sources.h"

#include <string.h>
#include <strings.h>

struct entry {
    const char *text;
    enum hc_incident_cause cause;
};

static const struct entry infinitehbd[] = {
    {"Hardware Failure", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware Failure: GPU", HC_CAUSE_GPU},
    {"Hardware Failure: GPU: GPU DBE(Double Bit ECC) > Threshold", HC_CAUSE_GPU_MEMORY},
    {"Hardware Failure: GPU: GPU SBE(Single Bit ECC) > Threshold", HC_CAUSE_GPU_MEMORY},
    {"Hardware Failure: GPU: GPU PCI link width low", HC_CAUSE_GPU_LINK},
    {"Hardware Failure: GPU: GPU P2P Bandwidth Low", HC_CAUSE_GPU_LINK},
    {"Hardware Failure: GPU: Silent Data Corruption", HC_CAUSE_SILENT_CORRUPTION},
    {"Hardware Failure: Parameter Plane Cable", HC_CAUSE_LINK},
    {"Hardware Failure: NIC", HC_CAUSE_NIC},
    {"Hardware Failure: Power Supply", HC_CAUSE_POWER_SUPPLY},
    {"Hardware Failure: Fan", HC_CAUSE_COOLING},
    {"Hardware Failure: Motherboard Battery", HC_CAUSE_BOARD},
    {"Hardware Failure: Motherboard", HC_CAUSE_BOARD},
    {"Hardware Failure: CPU", HC_CAUSE_CPU},
    {"Hardware Failure: RAID Card", HC_CAUSE_STORAGE},
    {"Hardware Failure: Riser Card", HC_CAUSE_BOARD},
    {"Software Failure", HC_CAUSE_SOFTWARE_OTHER},
    {"Software Failure: File System", HC_CAUSE_FILESYSTEM},
    {"Software Failure: Software Tool", HC_CAUSE_SERVICE},
    {"Software Failure: Operating System", HC_CAUSE_OS},
    {"Software Failure: Firmware", HC_CAUSE_FIRMWARE},
    {"Other Failure: Unknown Error", HC_CAUSE_UNDETERMINED},
    {"Other Failure: System Crash", HC_CAUSE_NODE_CRASH},
    {"Other Failure: Stress Test Failure", HC_CAUSE_STRESS_TEST},
    {"Other Failure: Change", HC_CAUSE_CHANGE},
    {"Other Failure: Training Task Troubleshooting", HC_CAUSE_SUSPECT_NODE},
    {"Other Failure: Test", HC_CAUSE_TEST},
};

/* "DST" is dedicated system time: the machine is kept from its users for work on its software. */
static const struct entry lanl[] = {
    {"Hardware", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: CPU", HC_CAUSE_CPU},
    {"Hardware: IOS CPU", HC_CAUSE_CPU},
    {"Hardware: Memory Dimm", HC_CAUSE_MEMORY},
    {"Hardware: Memory Module", HC_CAUSE_MEMORY},
    {"Hardware: Memory Dimm/CPU", HC_CAUSE_MEMORY},
    {"Hardware: IOS Buffer Memory", HC_CAUSE_MEMORY},
    {"Hardware: Node Board", HC_CAUSE_BOARD},
    {"Hardware: System Board", HC_CAUSE_BOARD},
    {"Hardware: PCI Backplane", HC_CAUSE_BOARD},
    {"Hardware: PCI Back Plane", HC_CAUSE_BOARD},
    {"Hardware: Bach Plane Assembly", HC_CAUSE_BOARD},
    {"Hardware: Router Board", HC_CAUSE_INTERCONNECT},
    {"Hardware: Mid-plane", HC_CAUSE_BOARD},
    {"Hardware: MMB", HC_CAUSE_BOARD},
    {"Hardware: MSC Board", HC_CAUSE_BOARD},
    {"Hardware: GE Board", HC_CAUSE_BOARD},
    {"Hardware: RM Board", HC_CAUSE_BOARD},
    {"Hardware: DG Board", HC_CAUSE_BOARD},
    {"Hardware: Ktown Board", HC_CAUSE_BOARD},
    {"Hardware: Xtown Board", HC_CAUSE_BOARD},
    {"Hardware: IO6", HC_CAUSE_BOARD},
    {"Hardware: PCI IO Module", HC_CAUSE_BOARD},
    {"Hardware: PCI Shoebox", HC_CAUSE_BOARD},
    {"Hardware: Riser Card", HC_CAUSE_BOARD},
    {"Hardware: Module Assembly", HC_CAUSE_BOARD},
    {"Hardware: Maintenance", HC_CAUSE_HARDWARE_MAINTENANCE},
    {"Hardware: Power Supply", HC_CAUSE_POWER_SUPPLY},
    {"Hardware: Power cord", HC_CAUSE_POWER_SUPPLY},
    {"Hardware: GFX Power Supply", HC_CAUSE_POWER_SUPPLY},
    {"Hardware: Rack Power Distribution Unit", HC_CAUSE_POWER_SUPPLY},
    {"Hardware: Fan Assembly", HC_CAUSE_COOLING},
    {"Hardware: Fan", HC_CAUSE_COOLING},
    {"Hardware: 40MM Cooling Fan", HC_CAUSE_COOLING},
    {"Hardware: Heatsink bracket", HC_CAUSE_COOLING},
    {"Hardware: Temp Probe", HC_CAUSE_COOLING},
    {"Hardware: Interconnect Interface", HC_CAUSE_INTERCONNECT},
    {"Hardware: Interconnect Soft Error", HC_CAUSE_INTERCONNECT},
    {"Hardware: Interconnect Switch", HC_CAUSE_INTERCONNECT},
    {"Hardware: Interconnect Cable", HC_CAUSE_INTERCONNECT},
    {"Hardware: Interconnect Misc", HC_CAUSE_INTERCONNECT},
    {"Hardware: Interconnect", HC_CAUSE_INTERCONNECT},
    {"Hardware: Disk Drive", HC_CAUSE_STORAGE},
    {"Hardware: PCI Fibre Channel Adapter", HC_CAUSE_STORAGE},
    {"Hardware: PCI Fibre Channel Adaptor", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Raid Controller", HC_CAUSE_STORAGE},
    {"Hardware: Fibre HBA", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Drive", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Cable", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Channel Port Adapter", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Raid Power Supply", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Raid LCC card", HC_CAUSE_STORAGE},
    {"Hardware: Fibre Raid Midplane", HC_CAUSE_STORAGE},
    {"Hardware: SCSI Drive", HC_CAUSE_STORAGE},
    {"Hardware: SCSI Controller", HC_CAUSE_STORAGE},
    {"Hardware: SCSI Adapter Card", HC_CAUSE_STORAGE},
    {"Hardware: SCSI Card", HC_CAUSE_STORAGE},
    {"Hardware: PCI SCSI Controller", HC_CAUSE_STORAGE},
    {"Hardware: SAN Controller", HC_CAUSE_STORAGE},
    {"Hardware: SAN controller", HC_CAUSE_STORAGE},
    {"Hardware: SAN Disk Drive", HC_CAUSE_STORAGE},
    {"Hardware: SAN Shelf", HC_CAUSE_STORAGE},
    {"Hardware: SAN GBIC", HC_CAUSE_STORAGE},
    {"Hardware: SAN Switch", HC_CAUSE_STORAGE},
    {"Hardware: SAN Appliance", HC_CAUSE_STORAGE},
    {"Hardware: SAN Fiber Cable", HC_CAUSE_STORAGE},
    {"Hardware: Disk Cabinet", HC_CAUSE_STORAGE},
    {"Hardware: Drive Cage", HC_CAUSE_STORAGE},
    {"Hardware: IDE Cable", HC_CAUSE_STORAGE},
    {"Hardware: CD ROM", HC_CAUSE_STORAGE},
    {"Hardware: IOS Disk Logic", HC_CAUSE_STORAGE},
    {"Hardware: SSD Memory Module", HC_CAUSE_STORAGE},
    {"Hardware: SSD Logic", HC_CAUSE_STORAGE},
    {"Hardware: KGPSA", HC_CAUSE_STORAGE},
    {"Hardware: Site Ethernet Switch", HC_CAUSE_NIC},
    {"Hardware: Ethernet Switch", HC_CAUSE_NIC},
    {"Hardware: Gig E Switch", HC_CAUSE_NIC},
    {"Hardware: PCI GBIT Ethernet Board", HC_CAUSE_NIC},
    {"Hardware: PCI Ethernet Board", HC_CAUSE_NIC},
    {"Hardware: 1 GBit Ethernet Card", HC_CAUSE_NIC},
    {"Hardware: 100 MBit Ethernet Card", HC_CAUSE_NIC},
    {"Hardware: Ethernet Cable", HC_CAUSE_NIC},
    {"Hardware: Ethernet Copper Cable", HC_CAUSE_NIC},
    {"Hardware: Ethernet Fibre Cable", HC_CAUSE_NIC},
    {"Hardware: Ethernet Fiber Cable", HC_CAUSE_NIC},
    {"Hardware: Gig E Connection", HC_CAUSE_NIC},
    {"Hardware: Site Network Interface", HC_CAUSE_NIC},
    {"Hardware: Fddi", HC_CAUSE_NIC},
    {"Hardware: Graphics Accel Hdwr", HC_CAUSE_GPU},
    {"Hardware: Graphics Video Card", HC_CAUSE_GPU},
    {"Hardware: Other", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: MIA", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: Console Network Device", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: Vhisp", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: System Controller", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: Console Interface Module", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: Wire Harness", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: Term Server", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: OCP", HC_CAUSE_HARDWARE_OTHER},
    {"Hardware: WACS Logic", HC_CAUSE_HARDWARE_OTHER},
    {"Software", HC_CAUSE_SOFTWARE_OTHER},
    {"Software: Other Software", HC_CAUSE_SOFTWARE_OTHER},
    {"Software: DST", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: OS", HC_CAUSE_OS},
    {"Software: Parallel File System", HC_CAUSE_FILESYSTEM},
    {"Software: Kernel software", HC_CAUSE_OS},
    {"Software: Scheduler Software", HC_CAUSE_SCHEDULER},
    {"Software: Cluster File System", HC_CAUSE_FILESYSTEM},
    {"Software: Resource Mgmt System", HC_CAUSE_SCHEDULER},
    {"Software: Upgrade/Install OS sftw", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: Network", HC_CAUSE_SERVICE},
    {"Software: DST-Scan for errors /scratch", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: User code", HC_CAUSE_PROGRAM},
    {"Software: DST-Upgrd/Instl OS Sftw", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: NFS", HC_CAUSE_FILESYSTEM},
    {"Software: Interconnect", HC_CAUSE_SERVICE},
    {"Software: Patch Install", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: Disk IO, firmware and storage", HC_CAUSE_FIRMWARE},
    {"Software: Modify kernel parameters", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: Cluster Software", HC_CAUSE_SERVICE},
    {"Software: Scratch FS", HC_CAUSE_FILESYSTEM},
    {"Software: MPI, PVM, Array services", HC_CAUSE_LIBRARY},
    {"Software: Modify system config files", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: Upgrade/Install 3rd Party Sftw", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: DST-Upgrd/Install OS sftw", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: DST-Upgrd/Instl 3rdParty Sftw", HC_CAUSE_SOFTWARE_MAINTENANCE},
    {"Software: IOS Software", HC_CAUSE_OS},
    {"Software: Vizscratch FS", HC_CAUSE_FILESYSTEM},
    {"Software: Scratch Drive", HC_CAUSE_FILESYSTEM},
    {"Software: Security Software", HC_CAUSE_SERVICE},
    {"Software: Compilers and libraries", HC_CAUSE_LIBRARY},
    {"Undetermined", HC_CAUSE_UNDETERMINED},
    {"Facilities", HC_CAUSE_FACILITIES_OTHER},
    {"Facilities: Power Outage", HC_CAUSE_POWER},
    {"Facilities: UPS", HC_CAUSE_POWER},
    {"Facilities: Power Spike", HC_CAUSE_POWER},
    {"Facilities: Chillers", HC_CAUSE_CHILLER},
    {"Facilities: Environment", HC_CAUSE_FACILITIES_OTHER},
    {"Network", HC_CAUSE_NETWORK_OTHER},
    {"Human Error", HC_CAUSE_OPERATOR},
};

static const struct entry published[] = {
    {"faulty gpu", HC_CAUSE_GPU},
    {"gpu hbm3 memory", HC_CAUSE_GPU_MEMORY},
    {"software bug", HC_CAUSE_LIBRARY},
    {"network switch/cable", HC_CAUSE_SWITCH},
    {"host maintenance", HC_CAUSE_HARDWARE_MAINTENANCE},
    {"gpu sram memory", HC_CAUSE_GPU_MEMORY},
    {"gpu system processor", HC_CAUSE_GPU},
    {"nic", HC_CAUSE_NIC},
    {"nccl watchdog timeouts", HC_CAUSE_COLLECTIVE},
    {"silent data corruption", HC_CAUSE_SILENT_CORRUPTION},
    {"gpu thermal interface + sensor", HC_CAUSE_COOLING},
    {"ssd", HC_CAUSE_STORAGE},
    {"power supply", HC_CAUSE_POWER_SUPPLY},
    {"server chassis", HC_CAUSE_BOARD},
    {"io expansion board", HC_CAUSE_BOARD},
    {"dependency", HC_CAUSE_LIBRARY},
    {"cpu", HC_CAUSE_CPU},
    {"system memory", HC_CAUSE_MEMORY},
    {"cuda error", HC_CAUSE_GPU},
    {"cpu overload", HC_CAUSE_RESOURCES},
    {"cpu oom", HC_CAUSE_RESOURCES},
    {"insufficient disk", HC_CAUSE_RESOURCES},
    {"infiniband", HC_CAUSE_LINK},
    {"filesystem mount", HC_CAUSE_FILESYSTEM},
    {"hdfs", HC_CAUSE_FILESYSTEM},
    {"container", HC_CAUSE_SCHEDULER},
    {"os kernel panic", HC_CAUSE_OS},
    {"gpu memory", HC_CAUSE_GPU_MEMORY},
    {"external service", HC_CAUSE_SERVICE},
    {"gpu unavailable", HC_CAUSE_GPU},
    {"disk fault", HC_CAUSE_STORAGE},
    {"job hang", HC_CAUSE_HANG},
    {"mfu decline", HC_CAUSE_SLOW},
    {"nan", HC_CAUSE_LOSS},
    {"code/data adjustment", HC_CAUSE_CODE_CHANGE},
};

#define LIST(entries) entries, sizeof(entries) / sizeof(entries)[0]

static const struct {
    const struct entry *entries;
    size_t n;
} lists[] = {
    [HC_SOURCE_INFINITEHBD] = {LIST(infinitehbd)},
    [HC_SOURCE_LANL] = {LIST(lanl)},
    [HC_SOURCE_PUBLISHED] = {LIST(published)},
};

/* Whether the entry is the text, or its beginning up to a ": ". */
static int covers(const char *entry, const char *text, size_t length)
{
    size_t own = strlen(entry);
    if (own > length || strncasecmp(entry, text, own) != 0)
        return 0;
    return own == length || (length - own > 2 && memcmp(text + own, ": ", 2) == 0);
}

enum hc_incident_cause hc_incident_cause_of_text(enum hc_fault_source source, const char *text,
                                                 size_t length)
{
    enum hc_incident_cause cause = HC_CAUSE_UNKNOWN;
    size_t longest = 0;
    for (size_t i = 0; i < lists[source].n; i++) {
        const struct entry *entry = &lists[source].entries[i];
        size_t own = strlen(entry->text);
        if (own > longest && covers(entry->text, text, length)) {
            longest = own;
            cause = entry->cause;
        }
    }
    return cause;
}
