#include "core/cause_sources.h"

#include <string.h>
#include <strings.h>

struct entry {
    const char *text;
    enum hc_fault_cause cause;
};

static const struct entry infinitehbd[] = {
    {"Hardware Failure", HC_FAULT_HARDWARE_OTHER},
    {"Hardware Failure: GPU", HC_FAULT_GPU},
    {"Hardware Failure: GPU: GPU DBE(Double Bit ECC) > Threshold", HC_FAULT_GPU_MEMORY},
    {"Hardware Failure: GPU: GPU SBE(Single Bit ECC) > Threshold", HC_FAULT_GPU_MEMORY},
    {"Hardware Failure: GPU: GPU PCI link width low", HC_FAULT_GPU_LINK},
    {"Hardware Failure: GPU: GPU P2P Bandwidth Low", HC_FAULT_GPU_LINK},
    {"Hardware Failure: GPU: Silent Data Corruption", HC_FAULT_SILENT_CORRUPTION},
    {"Hardware Failure: Parameter Plane Cable", HC_FAULT_LINK},
    {"Hardware Failure: NIC", HC_FAULT_NIC},
    {"Hardware Failure: Power Supply", HC_FAULT_POWER_SUPPLY},
    {"Hardware Failure: Fan", HC_FAULT_COOLING},
    {"Hardware Failure: Motherboard Battery", HC_FAULT_BOARD},
    {"Hardware Failure: Motherboard", HC_FAULT_BOARD},
    {"Hardware Failure: CPU", HC_FAULT_CPU},
    {"Hardware Failure: RAID Card", HC_FAULT_STORAGE},
    {"Hardware Failure: Riser Card", HC_FAULT_BOARD},
    {"Software Failure", HC_FAULT_SOFTWARE_OTHER},
    {"Software Failure: File System", HC_FAULT_FILESYSTEM},
    {"Software Failure: Software Tool", HC_FAULT_SERVICE},
    {"Software Failure: Operating System", HC_FAULT_OS},
    {"Software Failure: Firmware", HC_FAULT_FIRMWARE},
    {"Other Failure: Unknown Error", HC_FAULT_UNDETERMINED},
    {"Other Failure: System Crash", HC_FAULT_NODE_CRASH},
    {"Other Failure: Stress Test Failure", HC_FAULT_STRESS_TEST},
    {"Other Failure: Change", HC_FAULT_CHANGE},
    {"Other Failure: Training Task Troubleshooting", HC_FAULT_SUSPECT_NODE},
    {"Other Failure: Test", HC_FAULT_TEST},
};

/* "DST" is dedicated system time: the machine is kept from its users for work on its software. */
static const struct entry lanl[] = {
    {"Hardware", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: CPU", HC_FAULT_CPU},
    {"Hardware: IOS CPU", HC_FAULT_CPU},
    {"Hardware: Memory Dimm", HC_FAULT_MEMORY},
    {"Hardware: Memory Module", HC_FAULT_MEMORY},
    {"Hardware: Memory Dimm/CPU", HC_FAULT_MEMORY},
    {"Hardware: IOS Buffer Memory", HC_FAULT_MEMORY},
    {"Hardware: Node Board", HC_FAULT_BOARD},
    {"Hardware: System Board", HC_FAULT_BOARD},
    {"Hardware: PCI Backplane", HC_FAULT_BOARD},
    {"Hardware: PCI Back Plane", HC_FAULT_BOARD},
    {"Hardware: Bach Plane Assembly", HC_FAULT_BOARD},
    {"Hardware: Router Board", HC_FAULT_INTERCONNECT},
    {"Hardware: Mid-plane", HC_FAULT_BOARD},
    {"Hardware: MMB", HC_FAULT_BOARD},
    {"Hardware: MSC Board", HC_FAULT_BOARD},
    {"Hardware: GE Board", HC_FAULT_BOARD},
    {"Hardware: RM Board", HC_FAULT_BOARD},
    {"Hardware: DG Board", HC_FAULT_BOARD},
    {"Hardware: Ktown Board", HC_FAULT_BOARD},
    {"Hardware: Xtown Board", HC_FAULT_BOARD},
    {"Hardware: IO6", HC_FAULT_BOARD},
    {"Hardware: PCI IO Module", HC_FAULT_BOARD},
    {"Hardware: PCI Shoebox", HC_FAULT_BOARD},
    {"Hardware: Riser Card", HC_FAULT_BOARD},
    {"Hardware: Module Assembly", HC_FAULT_BOARD},
    {"Hardware: Maintenance", HC_FAULT_HARDWARE_MAINTENANCE},
    {"Hardware: Power Supply", HC_FAULT_POWER_SUPPLY},
    {"Hardware: Power cord", HC_FAULT_POWER_SUPPLY},
    {"Hardware: GFX Power Supply", HC_FAULT_POWER_SUPPLY},
    {"Hardware: Rack Power Distribution Unit", HC_FAULT_POWER_SUPPLY},
    {"Hardware: Fan Assembly", HC_FAULT_COOLING},
    {"Hardware: Fan", HC_FAULT_COOLING},
    {"Hardware: 40MM Cooling Fan", HC_FAULT_COOLING},
    {"Hardware: Heatsink bracket", HC_FAULT_COOLING},
    {"Hardware: Temp Probe", HC_FAULT_COOLING},
    {"Hardware: Interconnect Interface", HC_FAULT_INTERCONNECT},
    {"Hardware: Interconnect Soft Error", HC_FAULT_INTERCONNECT},
    {"Hardware: Interconnect Switch", HC_FAULT_INTERCONNECT},
    {"Hardware: Interconnect Cable", HC_FAULT_INTERCONNECT},
    {"Hardware: Interconnect Misc", HC_FAULT_INTERCONNECT},
    {"Hardware: Interconnect", HC_FAULT_INTERCONNECT},
    {"Hardware: Disk Drive", HC_FAULT_STORAGE},
    {"Hardware: PCI Fibre Channel Adapter", HC_FAULT_STORAGE},
    {"Hardware: PCI Fibre Channel Adaptor", HC_FAULT_STORAGE},
    {"Hardware: Fibre Raid Controller", HC_FAULT_STORAGE},
    {"Hardware: Fibre HBA", HC_FAULT_STORAGE},
    {"Hardware: Fibre Drive", HC_FAULT_STORAGE},
    {"Hardware: Fibre Cable", HC_FAULT_STORAGE},
    {"Hardware: Fibre Channel Port Adapter", HC_FAULT_STORAGE},
    {"Hardware: Fibre Raid Power Supply", HC_FAULT_STORAGE},
    {"Hardware: Fibre Raid LCC card", HC_FAULT_STORAGE},
    {"Hardware: Fibre Raid Midplane", HC_FAULT_STORAGE},
    {"Hardware: SCSI Drive", HC_FAULT_STORAGE},
    {"Hardware: SCSI Controller", HC_FAULT_STORAGE},
    {"Hardware: SCSI Adapter Card", HC_FAULT_STORAGE},
    {"Hardware: SCSI Card", HC_FAULT_STORAGE},
    {"Hardware: PCI SCSI Controller", HC_FAULT_STORAGE},
    {"Hardware: SAN Controller", HC_FAULT_STORAGE},
    {"Hardware: SAN controller", HC_FAULT_STORAGE},
    {"Hardware: SAN Disk Drive", HC_FAULT_STORAGE},
    {"Hardware: SAN Shelf", HC_FAULT_STORAGE},
    {"Hardware: SAN GBIC", HC_FAULT_STORAGE},
    {"Hardware: SAN Switch", HC_FAULT_STORAGE},
    {"Hardware: SAN Appliance", HC_FAULT_STORAGE},
    {"Hardware: SAN Fiber Cable", HC_FAULT_STORAGE},
    {"Hardware: Disk Cabinet", HC_FAULT_STORAGE},
    {"Hardware: Drive Cage", HC_FAULT_STORAGE},
    {"Hardware: IDE Cable", HC_FAULT_STORAGE},
    {"Hardware: CD ROM", HC_FAULT_STORAGE},
    {"Hardware: IOS Disk Logic", HC_FAULT_STORAGE},
    {"Hardware: SSD Memory Module", HC_FAULT_STORAGE},
    {"Hardware: SSD Logic", HC_FAULT_STORAGE},
    {"Hardware: KGPSA", HC_FAULT_STORAGE},
    {"Hardware: Site Ethernet Switch", HC_FAULT_NIC},
    {"Hardware: Ethernet Switch", HC_FAULT_NIC},
    {"Hardware: Gig E Switch", HC_FAULT_NIC},
    {"Hardware: PCI GBIT Ethernet Board", HC_FAULT_NIC},
    {"Hardware: PCI Ethernet Board", HC_FAULT_NIC},
    {"Hardware: 1 GBit Ethernet Card", HC_FAULT_NIC},
    {"Hardware: 100 MBit Ethernet Card", HC_FAULT_NIC},
    {"Hardware: Ethernet Cable", HC_FAULT_NIC},
    {"Hardware: Ethernet Copper Cable", HC_FAULT_NIC},
    {"Hardware: Ethernet Fibre Cable", HC_FAULT_NIC},
    {"Hardware: Ethernet Fiber Cable", HC_FAULT_NIC},
    {"Hardware: Gig E Connection", HC_FAULT_NIC},
    {"Hardware: Site Network Interface", HC_FAULT_NIC},
    {"Hardware: Fddi", HC_FAULT_NIC},
    {"Hardware: Graphics Accel Hdwr", HC_FAULT_GPU},
    {"Hardware: Graphics Video Card", HC_FAULT_GPU},
    {"Hardware: Other", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: MIA", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: Console Network Device", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: Vhisp", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: System Controller", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: Console Interface Module", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: Wire Harness", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: Term Server", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: OCP", HC_FAULT_HARDWARE_OTHER},
    {"Hardware: WACS Logic", HC_FAULT_HARDWARE_OTHER},
    {"Software", HC_FAULT_SOFTWARE_OTHER},
    {"Software: Other Software", HC_FAULT_SOFTWARE_OTHER},
    {"Software: DST", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: OS", HC_FAULT_OS},
    {"Software: Parallel File System", HC_FAULT_FILESYSTEM},
    {"Software: Kernel software", HC_FAULT_OS},
    {"Software: Scheduler Software", HC_FAULT_SCHEDULER},
    {"Software: Cluster File System", HC_FAULT_FILESYSTEM},
    {"Software: Resource Mgmt System", HC_FAULT_SCHEDULER},
    {"Software: Upgrade/Install OS sftw", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: Network", HC_FAULT_SERVICE},
    {"Software: DST-Scan for errors /scratch", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: User code", HC_FAULT_PROGRAM},
    {"Software: DST-Upgrd/Instl OS Sftw", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: NFS", HC_FAULT_FILESYSTEM},
    {"Software: Interconnect", HC_FAULT_SERVICE},
    {"Software: Patch Install", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: Disk IO, firmware and storage", HC_FAULT_FIRMWARE},
    {"Software: Modify kernel parameters", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: Cluster Software", HC_FAULT_SERVICE},
    {"Software: Scratch FS", HC_FAULT_FILESYSTEM},
    {"Software: MPI, PVM, Array services", HC_FAULT_LIBRARY},
    {"Software: Modify system config files", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: Upgrade/Install 3rd Party Sftw", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: DST-Upgrd/Install OS sftw", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: DST-Upgrd/Instl 3rdParty Sftw", HC_FAULT_SOFTWARE_MAINTENANCE},
    {"Software: IOS Software", HC_FAULT_OS},
    {"Software: Vizscratch FS", HC_FAULT_FILESYSTEM},
    {"Software: Scratch Drive", HC_FAULT_FILESYSTEM},
    {"Software: Security Software", HC_FAULT_SERVICE},
    {"Software: Compilers and libraries", HC_FAULT_LIBRARY},
    {"Undetermined", HC_FAULT_UNDETERMINED},
    {"Facilities", HC_FAULT_FACILITIES_OTHER},
    {"Facilities: Power Outage", HC_FAULT_POWER},
    {"Facilities: UPS", HC_FAULT_POWER},
    {"Facilities: Power Spike", HC_FAULT_POWER},
    {"Facilities: Chillers", HC_FAULT_CHILLER},
    {"Facilities: Environment", HC_FAULT_FACILITIES_OTHER},
    {"Network", HC_FAULT_NETWORK_OTHER},
    {"Human Error", HC_FAULT_OPERATOR},
};

static const struct entry published[] = {
    {"faulty gpu", HC_FAULT_GPU},
    {"gpu hbm3 memory", HC_FAULT_GPU_MEMORY},
    {"software bug", HC_FAULT_LIBRARY},
    {"network switch/cable", HC_FAULT_SWITCH},
    {"host maintenance", HC_FAULT_HARDWARE_MAINTENANCE},
    {"gpu sram memory", HC_FAULT_GPU_MEMORY},
    {"gpu system processor", HC_FAULT_GPU},
    {"nic", HC_FAULT_NIC},
    {"nccl watchdog timeouts", HC_FAULT_COLLECTIVE},
    {"silent data corruption", HC_FAULT_SILENT_CORRUPTION},
    {"gpu thermal interface + sensor", HC_FAULT_COOLING},
    {"ssd", HC_FAULT_STORAGE},
    {"power supply", HC_FAULT_POWER_SUPPLY},
    {"server chassis", HC_FAULT_BOARD},
    {"io expansion board", HC_FAULT_BOARD},
    {"dependency", HC_FAULT_LIBRARY},
    {"cpu", HC_FAULT_CPU},
    {"system memory", HC_FAULT_MEMORY},
    {"cuda error", HC_FAULT_GPU},
    {"cpu overload", HC_FAULT_RESOURCES},
    {"cpu oom", HC_FAULT_RESOURCES},
    {"insufficient disk", HC_FAULT_RESOURCES},
    {"infiniband", HC_FAULT_LINK},
    {"filesystem mount", HC_FAULT_FILESYSTEM},
    {"hdfs", HC_FAULT_FILESYSTEM},
    {"container", HC_FAULT_SCHEDULER},
    {"os kernel panic", HC_FAULT_OS},
    {"gpu memory", HC_FAULT_GPU_MEMORY},
    {"external service", HC_FAULT_SERVICE},
    {"gpu unavailable", HC_FAULT_GPU},
    {"disk fault", HC_FAULT_STORAGE},
    {"job hang", HC_FAULT_HANG},
    {"mfu decline", HC_FAULT_SLOW},
    {"nan", HC_FAULT_LOSS},
    {"code/data adjustment", HC_FAULT_CODE_CHANGE},
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

enum hc_fault_cause hc_fault_cause_of_text(enum hc_fault_source source, const char *text,
                                           size_t length)
{
    enum hc_fault_cause cause = HC_FAULT_UNKNOWN;
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
