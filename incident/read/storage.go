package read

import (
	"slices"
	"strings"

	"assay/incident"
)

var nvmeSignatures = []signature{
	{has: "faulty power saving mode", kind: incident.NVMePower},
	{has: "CSTS=0xffffffff", kind: incident.NVMeGone},
	{has: "controller is down; will reset: CSTS=0x3", kind: incident.NVMeFatal},
	{has: "controller is down; will reset: CSTS=0x2", kind: incident.NVMeFatal},
	{has: "controller is down; will reset", kind: incident.NVMeDown},
	{has: "(sct 0x3 / sc 0x7", kind: incident.NVMeTimeout}, // aborted by the host, or no path
	{has: "timeout, aborting", kind: incident.NVMeTimeout, and: "nvme"},
	{has: "timeout, reset controller", kind: incident.NVMeTimeout, and: "nvme"},
	{has: "timeout, disable controller", kind: incident.NVMeTimeout, and: "nvme"},
	{has: "timeout, completion polled", kind: incident.NVMePolled, and: "nvme"},
	{has: "Abort status: 0x", kind: incident.NVMeTimeout, and: "nvme"},
	{has: "Removing after probe failure", kind: incident.NVMeDead},
	{has: "Disabling device after reset failure", kind: incident.NVMeDead},
	{has: "Device not ready; aborting", kind: incident.NVMeUnready, and: "nvme", or: []string{"CSTS=0x0", "CSTS=0x1", "CSTS=0x3"}},
	{has: "Device not ready; aborting", kind: incident.NVMeDead, and: "nvme"},
	{has: "failed to set APST feature (-", kind: incident.NVMeDead}, // a positive status means the drive refuses it
	{has: "(sct 0x2 / sc 0x86)", kind: incident.NVMeDenied},
	{has: "(sct 0x2 / sc 0x80)", kind: incident.NVMeMedia}, // write fault
	{has: "(sct 0x2 / sc 0x81)", kind: incident.NVMeMedia}, // unrecovered read error
	{has: "(sct 0x1 / sc 0x82)", kind: incident.NVMeMedia}, // write to a read-only range
	{has: "critical medium error, dev nvme", kind: incident.NVMeMedia},
	{has: "controller due to persistent internal error", kind: incident.NVMeInternal},
	{has: "detected capacity change from", kind: incident.NVMeDead, and: "nvme", or: []string{" to 0"}},
	{has: "failure state error detected, request disconnect", kind: incident.AERFatal, device: pci},
	{has: "Internal Error (sct 0x0 / sc 0x6)", kind: incident.NVMeInternal},
	{has: "(sct 0x0 / sc 0x6)", kind: incident.NVMeInternal},
	{has: "Unrecovered Read Error", kind: incident.NVMeMedia}, // nvme error-log; SCSI capitalises differently
	{has: "Write Fault(0x280)", kind: incident.NVMeMedia},
	{has: "Does not respond to reset", kind: incident.NVMeDead, and: "nvme"},
	{has: "frozen state error detected, reset controller", kind: incident.AERFatal, device: pci},
	{has: "Identify Controller failed", kind: incident.NVMeDead, and: "nvme"},
	{has: "Resetting controller due to a timeout", kind: incident.NVMeTimeout, device: before(":")}, // FreeBSD
	{has: "controller ready did not become", kind: incident.NVMeUnready, device: before(":")},       // FreeBSD
	{has: "Controller in fatal error status, resetting", kind: incident.NVMeFatal, device: before(":")},
	{has: "receive failed: ", kind: incident.NVMeOFConn, and: "nvme"},
	{has: "rdma connection establishment failed", kind: incident.NVMeOFConn},
	{has: "nvmet: ctrl ", kind: incident.NVMeOFConn, device: nothing, and: "fatal error occurred"},
	{has: "write to nvme-fabrics device", kind: incident.NVMeOFConn, device: nothing, or: []string{"ailed"}},
	{has: "ailed to write to /dev/nvme-fabrics", kind: incident.NVMeOFConn, device: nothing},
}

var ataSignatures = []signature{
	{has: "ICRC", kind: incident.ATACRC, or: []string{"ABRT", "Error: ICRC", "error: {"}},
	{has: "BadCRC", kind: incident.ATACRC},
	{has: "limiting SATA link speed", kind: incident.ATASlowed},
	{has: "SError: {", kind: incident.ATAWoken, and: "CommWake", not: []string{"10B8B", "Dispar", "Handshk", "UnrecovData", "TrStaTrns", "UnrecFIS", "RecovComm", "BadCRC"}},
	{has: "SError: {", kind: incident.ATALinkError, or: []string{"10B8B", "Dispar", "Handshk", "UnrecovData", "TrStaTrns", "UnrecFIS", "RecovComm", "LinkSeq"}},
	{has: "interface fatal error", kind: incident.ATAFatal},
	{has: "error: { UNC", kind: incident.ATAMedia},
	{has: "(media error)", kind: incident.ATAMedia},
	{has: "{ UNC }", kind: incident.ATAMedia},
	{has: "UncorrectableError }", kind: incident.ATAMedia},
	{has: "AddrMarkNotFound }", kind: incident.ATAMedia},
	{has: "error: 40 (UNC", kind: incident.ATAMedia},  // FreeBSD
	{has: "error: { AMNF", kind: incident.ATAMedia},   // address mark not found
	{has: "error: { TRK0NF", kind: incident.ATAMedia}, // track 0 not found
	{has: "status: { DRDY DF ", kind: incident.ATAFault},
	{has: "error: { IDNF", kind: incident.ATADeviceFail},
	{has: "(ATA bus error)", kind: incident.ATACRC, or: []string{" err 0x84 ", " 51/84:"}}, // ICRC and ABRT of a failed command
	{has: "(ATA bus error)", kind: incident.ATABusError},
	{has: "CAM status: Uncorrectable parity/CRC error", kind: incident.ATACRC, device: camDevice}, // FreeBSD
	{has: "CAM status: Command timeout", kind: incident.ATATimeout, device: camDevice},
	{has: "(timeout)", kind: incident.ATATimeout, and: "Emask 0x"},
	{has: "qc timeout", kind: incident.ATATimeout},
	{has: "frozen", kind: incident.ATATimeout, and: "exception Emask 0x0 "},
	{has: "COMRESET failed", kind: incident.ATAReset},
	{has: "hard resetting link", kind: incident.ATAReset},
	{has: "SRST failed (errno=", kind: incident.ATAReset},
	{has: "failed to recover PMP after", kind: incident.ATADead}, // port multiplier
	{has: "failed to recover link after ", kind: incident.ATADead, and: "disabling"},
	{has: "failed to reset PMP, giving up", kind: incident.ATADead},
	{has: "PMP revalidation failed", kind: incident.ATAReset},
	{has: ": reset failed (errno=", kind: incident.ATAReset, and: "ata"},
	{has: "PHY status changed but maxed out on retries, giving up", kind: incident.ATADead},
	{has: "Drive reports diagnostics failure", kind: incident.ATADeviceFail},
	{has: "failed to read SCR ", kind: incident.ATAReset, and: "ata"},
	{has: "host bus error", kind: incident.HBAFault, or: []string{"irq_stat 0x", "Emask 0x20 ("}}, // other masks also occur on lost links
	{has: "(HSM violation)", kind: incident.ATABusError},
	{has: "SATA link down", kind: incident.ATALinkDown},
	{has: "failed to IDENTIFY", kind: incident.ATADead},
	{has: "reset failed, giving up", kind: incident.ATADead},
	{has: ".00: disabled", kind: incident.ATADead, and: "ata"},
	{has: ".00: disable device", kind: incident.ATADead, and: "ata"},
	{has: "(device error)", kind: incident.ATADeviceFail, and: "Emask"},
	{has: "SControl 310)", kind: incident.ATASlowed, and: "SATA link up 1.5"}, // limited to less than its best speed
	{has: "limiting speed to UDMA", kind: incident.ATASlowed},
	{has: "limiting speed to PIO", kind: incident.ATASlowed},
	{has: "error: 84 (ICRC ABRT", kind: incident.ATACRC, device: camDevice},   // FreeBSD
	{has: "error: 10 (IDNF", kind: incident.ATADeviceFail, device: camDevice}, // FreeBSD
	{has: "failed to set xfermode", kind: incident.ATATimeout},
	{has: "revalidation failed (errno=", kind: incident.ATATimeout},
	{has: "lost interrupt (Status 0x", kind: incident.ATATimeout},
	{has: "Timeout on slot ", kind: incident.ATATimeout, device: before(": Timeout"), and: "ahcich"}, // FreeBSD
}

var usbSignatures = []signature{
	{has: "over-current", kind: incident.USBCurrent, device: usbPort},
	{has: "Over-current", kind: incident.USBCurrent, device: usbPort},
	{has: "overcurrent", kind: incident.USBCurrent, device: usbPort},
	{has: "uas_eh_abort_handler", kind: incident.USBAbort},
	{has: "Transfer event for disabled endpoint", kind: incident.USBAbort, device: nothing},
	{has: "uas_eh_device_reset_handler", kind: incident.USBAbort},
	{has: "device descriptor read/", kind: incident.USBDescriptor, device: usbPort},
	{has: "device not accepting address", kind: incident.USBDescriptor, device: usbPort},
	{has: "unable to enumerate USB device", kind: incident.USBDescriptor, device: usbPort},
	{has: "USB disconnect", kind: incident.USBGone, device: usbPort},
	{has: "host controller not responding, assume dead", kind: incident.USBHost, device: nothing},
	{has: "HC died; cleaning up", kind: incident.USBHost, device: nothing},
	{has: "-speed USB device", kind: incident.USBReset, device: usbPort, and: "reset ", not: []string{"low-speed", "full-speed"}}, // no storage is as slow
	{has: "SuperSpeed USB device", kind: incident.USBReset, device: usbPort, and: "reset "},
	{has: "SuperSpeed Gen 1 USB device", kind: incident.USBReset, device: usbPort, and: "reset "},
	{has: "SuperSpeed Plus Gen 2", kind: incident.USBReset, device: usbPort, and: "reset "},
	{has: "SuperSpeed Plus USB device", kind: incident.USBReset, device: usbPort, and: "reset "},
	{has: "evice not responding to setup address", kind: incident.USBDescriptor, device: usbPort},
	{has: "can't set config #", kind: incident.USBDescriptor, device: usbPort, or: []string{"error -71", "error -110"}},
	{has: "annot enable. Maybe the USB cable is bad?", kind: incident.USBDescriptor, device: usbPort},
	{has: "attempt power cycle", kind: incident.USBDescriptor, device: usbPort, and: "usb"},
	{has: "disabled by hub (EMI?)", kind: incident.USBDescriptor, device: usbPort},
	{has: "connect-debounce failed", kind: incident.USBDescriptor, device: usbPort},
	{has: "uas_zap_pending", kind: incident.USBAbort},
	{has: "xHCI host not responding to stop endpoint command", kind: incident.USBHost, device: nothing},
	{has: "Abort failed to stop command ring", kind: incident.USBHost, device: nothing},
	{has: "Error while assigning device slot ID", kind: incident.USBDescriptor, device: usbPort},
	{has: "cmplt err -", kind: incident.USBAbort, or: []string{"cmd cmplt", "data cmplt", "sense cmplt", "stat cmplt"}},
	{has: "unable to read config index", kind: incident.USBDescriptor, device: usbPort},
	{has: "can't read configurations, error -", kind: incident.USBDescriptor, device: usbPort},
}

// emptyDrives are drives that usually have no medium.
var emptyDrives = []string{"dev sr", "dev fd", "device sr", "device fd"}

// refused are commands that a device need not support: rejecting them is no
// fault.
var refused = []string{"(DISCARD)", "(WRITE_ZEROES)", "(SECURE_ERASE)"}

var scsiSignatures = []signature{
	{has: "critical space allocation error", kind: incident.SpaceError},
	{has: "critical medium error", kind: incident.MediumError},
	{has: "Sense Key : Medium Error", kind: incident.MediumError},
	{has: "Unrecovered read error", kind: incident.MediumError},
	{has: "SCSI sense: MEDIUM ERROR", kind: incident.MediumError}, // FreeBSD
	{has: "CHECK CONDITION, sense key = 0x3", kind: incident.MediumError},
	{has: "critical target error", kind: incident.TargetError, not: refused},
	{has: "Sense Key : Hardware Error", kind: incident.HardwareError},
	{has: "Sense Key : Aborted Command", kind: incident.AbortedCommand},
	{has: "Sense Key : Not Ready", kind: incident.NotReady, not: []string{"[sr"}},
	{has: "Add. Sense: Write error", kind: incident.MediumError},
	{has: "Add. Sense: No defect spare location available", kind: incident.MediumError},
	{has: "Add. Sense: Internal target failure", kind: incident.HardwareError},
	{has: "Add. Sense: Mechanical positioning error", kind: incident.HardwareError},
	{has: "Add. Sense: Logical unit failure", kind: incident.HardwareError, not: []string{"prediction"}},
	{has: "SCSI sense: HARDWARE FAILURE", kind: incident.HardwareError, device: camDevice}, // FreeBSD
	{has: "SCSI sense: NOT READY", kind: incident.NotReady, device: camDevice},
	{has: "Spinning up disk", kind: incident.NotReady, and: "not responding"},
	{has: "DID_TRANSPORT_DISRUPTED", kind: incident.TransportError},
	{has: "DID_TRANSPORT_FAILFAST", kind: incident.TransportError},
	{has: "DID_NO_CONNECT", kind: incident.NoConnect},
	{has: "DID_BAD_TARGET", kind: incident.NoConnect},
	{has: "DID_TIME_OUT", kind: incident.CommandTimeout},
	{has: "DID_SOFT_ERROR", kind: incident.TransportError},
	{has: "hostbyte=DID_ERROR", kind: incident.TransportError},
	{has: "hostbyte=DID_RESET", kind: incident.TransportError},
	{has: "driverbyte=DRIVER_TIMEOUT", kind: incident.CommandTimeout},
	{has: "Failure prediction threshold exceeded", kind: incident.SMARTFailed, not: []string{"(false)"}},
	{has: "timing out command", kind: incident.CommandTimeout},
	{has: "rejecting I/O to offline device", kind: incident.DeviceOffline},
	{has: "rejecting I/O to dead device", kind: incident.DeviceOffline},
	{has: "device offline error, dev ", kind: incident.DeviceOffline},
	{has: "Device offlined", kind: incident.DeviceOffline},
	{has: "Power-on or device reset occurred", kind: incident.DeviceReset},
	{has: "attempting task abort", kind: incident.TaskAbort},
	{has: "task abort: ", kind: incident.TaskAbort},
	{has: "log_info(0x", kind: incident.HBAInfo, device: nothing},
	{has: "I/O error, dev vd", kind: incident.GuestDisk},
	{has: "I/O error, dev xvd", kind: incident.GuestDisk},
	{has: "I/O error, dev", kind: incident.IOError, not: slices.Concat(emptyDrives, refused)},
	{has: "I/O error on dev", kind: incident.IOError, not: append([]string{"JBD2", "EXT4-fs"}, emptyDrives...)},
	{has: "I/O error, logical block", kind: incident.IOError},
	{has: "BTRFS warning (device ", kind: incident.IOError, and: "direct IO failed"},
	{has: "mmc", kind: incident.MMCError, or: []string{"imeout waiting for hardware", "error -110", "error -84", "error -5 transferring", "ard stuck", "timed out sending", "sending status command", "never released inhibit bit", "tuning execution failed", "never left busy", "removed during transfer", "cqhci: timeout", "recovery failed", "error while initialising", "running CQE recovery", "ADMA error: 0x", "data operation was in progress", "never completed", "cqhci: CQE stuck on", "cqhci: Failed to halt", "cqhci: CQE failed to exit halt state", "cannot verify signal voltage switch", "during resume (card was removed?)"}},
	{has: "hostbyte=0x01", kind: incident.NoConnect}, // kernels without the names print numbers
	{has: "hostbyte=0x03", kind: incident.CommandTimeout},
	{has: "hostbyte=0x07", kind: incident.TransportError},
	{has: "hostbyte=0x0e", kind: incident.TransportError},
	{has: "hostbyte=0x0f", kind: incident.TransportError},
	{has: "Sense Key : 0x3 ", kind: incident.MediumError},
	{has: "Sense Key : 0x4 ", kind: incident.HardwareError},
	{has: "Sense Key : 0xb ", kind: incident.AbortedCommand},
	{has: "ense key: Medium Error", kind: incident.MediumError}, // Linux 2.6
	{has: "ense key Medium Error", kind: incident.MediumError},
	{has: "ense key: Hardware Error", kind: incident.HardwareError},
	{has: "Sense Key: Media", kind: incident.MediumError},                                                                 // Solaris, illumos
	{has: "sense data: 0x3 0x11", kind: incident.MediumError},                                                             // ESXi
	{has: "sense data: 0x4 ", kind: incident.HardwareError},                                                               // ESXi
	{has: ", has a bad block.", kind: incident.MediumError},                                                               // Windows
	{has: "err -61", kind: incident.MediumError, device: nothing, or: []string{"No data available", "no data available"}}, // ENODATA: a medium error in the block layer
}

var pciSignatures = []signature{
	{has: "severity=Corrected", kind: incident.AERCorrected, device: pci},
	{has: "severity=Correctable", kind: incident.AERCorrected, device: pci},
	{has: "Corrected error", kind: incident.AERCorrected, device: pci, and: "AER"},
	{has: "Correctable error", kind: incident.AERCorrected, device: pci, and: "AER"},
	{has: "severity=Uncorrect", kind: incident.AERFatal, device: pci},
	{has: "Uncorrectable", kind: incident.AERFatal, device: pci, and: "AER: "},
	{has: "Uncorrected", kind: incident.AERFatal, device: pci, and: "AER: "},
	{has: "rror of this ", kind: incident.AERCorrected, device: pci, and: "AER: "}, // "Agent is reported first", where its severity is left out
	{has: "AER: can't recover", kind: incident.AERFatal, device: pci},
	{has: "AER: device recovery failed", kind: incident.AERFatal, device: pci},
	{has: "] BadTLP", kind: incident.AERCorrected, device: pci},
	{has: "] BadDLLP", kind: incident.AERCorrected, device: pci},
	{has: "] CmpltTO", kind: incident.AERFatal, device: pci},
	{has: "] MalfTLP", kind: incident.AERFatal, device: pci},
	{has: "Bus Fatal Error", kind: incident.AERFatal, device: nothing, and: "| Asserted"},         // ipmitool sel list
	{has: "Bus Uncorrectable error", kind: incident.AERFatal, device: nothing, and: "| Asserted"}, // the same
	{has: "pciehp", kind: incident.PCIeDown, device: pci, or: []string{"Link Down", "Card not present", "Failed to check link status", "Cannot train link: status"}},
	{has: "available PCIe bandwidth, limited by", kind: incident.PCIeNarrow, device: pci},
	{has: "DMAR: DRHD: handling fault", kind: incident.IOMMUFault, device: nothing},
	{has: "IO_PAGE_FAULT", kind: incident.IOMMUFault, device: pci},
	{has: "AMD-Vi: Command buffer timeout", kind: incident.IOMMUFault, device: nothing},
	{has: "AMD-Vi: Event logged [", kind: incident.IOMMUFault, device: pci},
	{has: "DMAR: [INTR-REMAP] Request device", kind: incident.IOMMUFault, device: nothing},
	{has: "VT-d detected Invalidation ", kind: incident.IOMMUFault, device: nothing},
	{has: "Unhandled context fault: fsr=", kind: incident.IOMMUFault, device: nothing, and: "smmu"},
	{has: "Slot(", kind: incident.PCIeDown, device: pci, and: "Link Down"},
	{has: "PCIE Bus error", kind: incident.AERFatal, device: nothing, and: "Asserted"},
	{has: "PCI SERR", kind: incident.AERFatal, device: nothing, and: "Asserted"},
	{has: "PCI PERR", kind: incident.AERFatal, device: nothing, and: "Asserted"},
	{has: "A fatal error was detected on a component at bus", kind: incident.AERFatal, device: nothing}, // Dell's log
	{has: "A bus fatal error was detected on a component at", kind: incident.AERFatal, device: nothing},
	{has: "Unrecoverable I/O Error", kind: incident.AERFatal, device: nothing, and: "PCI"},
	{has: "Uncorrectable PCI Express Error", kind: incident.AERFatal, device: nothing}, // HPE's log
	{has: "DPC: containment event", kind: incident.AERFatal, device: pci},
	{has: "DPC: unmasked uncorrectable error detected", kind: incident.AERFatal, device: pci},
	{has: "rrors since boot: ", kind: incident.AERCorrected, device: pci, and: "AER: Corrected"},
	{has: "[12] Timeout", kind: incident.AERCorrected, device: pci},
	{has: "[ 0] RxErr", kind: incident.AERCorrected, device: pci},
	{has: "[18] Malformed TLP", kind: incident.AERFatal, device: pci},
	{has: "[14] Completion Timeout", kind: incident.AERFatal, device: pci},
	{has: ": nobody cared (try booting with", kind: incident.IRQUnclaimed, device: nothing},
	{has: "Disabling IRQ #", kind: incident.IRQUnclaimed, device: nothing},
	{has: "NMI: PCI system error (SERR)", kind: incident.AERFatal, device: nothing},
	{has: "NMI: IOCK error", kind: incident.AERFatal, device: nothing},
	{has: "has fallen off the bus", kind: incident.PCIeDown, device: pci}, // NVIDIA, with Xid 79
	{has: "Completion-Wait loop timed out", kind: incident.IOMMUFault, device: nothing},
	{has: "IOTLB_INV_TIMEOUT", kind: incident.IOMMUFault, device: pci},
	{has: "device inaccessible", kind: incident.PowerStateErr, device: pci},
	{has: "change power state from D3", kind: incident.PowerStateErr, device: pci},
	{has: "DMAR: [DMA ", kind: incident.IOMMUFault, device: nothing},
	{has: "DMAR:[DMA ", kind: incident.IOMMUFault, device: nothing},
	{has: "Blocked an interrupt request due to source-id", kind: incident.IOMMUFault, device: nothing},
	{has: "efused to change power state", kind: incident.PowerStateErr, device: pci},
	{has: "ms after resume; giving up", kind: incident.PCIeDown, device: pci, and: "not ready"},
	{has: "ms after FLR; giving up", kind: incident.PCIeDown, device: pci, and: "not ready"},
	{has: "ms after bus reset; giving up", kind: incident.PCIeDown, device: pci, and: "not ready"},
	{has: "retraining failed", kind: incident.PCIeDown, device: pci},
	{has: "retraining non-functional downstream link", kind: incident.PCIeDown, device: pci},
}

var fileSystemSignatures = []signature{
	{has: "Error while async write back metadata", kind: incident.FSError},
	{has: "previous I/O error to superblock detected", kind: incident.FSError},
	{has: "I/O error while writing superblock", kind: incident.FSError},
	{has: "Remounting filesystem read-only", kind: incident.FSReadOnly},
	{has: "forced readonly", kind: incident.FSReadOnly},
	{has: "remount-ro", kind: incident.FSReadOnly, and: "error", not: []string{"errors=remount-ro"}},
	{has: "Filesystem has been set read-only", kind: incident.FSReadOnly}, // FAT
	{has: "Aborting journal", kind: incident.FSAbort},
	{has: "aborted journal", kind: incident.FSAbort},
	{has: "Journal has aborted", kind: incident.FSAbort},
	{has: "error when updating journal superblock", kind: incident.FSAbort},
	{has: "Shutting down filesystem", kind: incident.FSAbort},
	{has: "hutdown", kind: incident.FSAbort, and: "XFS ("},
	{has: "Filesystem has been shut down", kind: incident.FSAbort},
	{has: "log I/O error", kind: incident.FSAbort, and: "XFS"},
	{has: "XFS (", kind: incident.FSCorrupt, or: []string{"orruption", "metadata CRC", "Metadata CRC", "orrupted", "Internal error", "Unmount and run xfs_repair", "totally zeroed log", "failed to locate log tail", "SB validate failed with error -117", "error -117", "bad clientid", "Bad dinode"}},
	{has: "XFS_WANT_CORRUPTED", kind: incident.FSCorrupt},
	{has: "XFS (", kind: incident.FSError, or: []string{"etadata I/O Error", "log mount/recovery failed", "log mount failed"}},
	{has: "group descriptors corrupted", kind: incident.FSCorrupt},
	{has: "ext4_check_descriptors: ", kind: incident.FSCorrupt},
	{has: "error loading journal", kind: incident.FSCorrupt},
	{has: "JBD2: recovery failed", kind: incident.FSCorrupt, device: nothing},
	{has: "no valid journal superblock found", kind: incident.FSCorrupt, device: nothing},
	{has: "orrupt directory, running e2fsck", kind: incident.FSCorrupt},
	{has: "corrupted directory", kind: incident.FSCorrupt, or: []string{"EXT4", "EXT3"}},
	{has: "max htree level", kind: incident.FSLimit},
	{has: "Directory index full", kind: incident.FSLimit},
	{has: "F2FS-fs (", kind: incident.FSCorrupt, or: []string{"nconsistent", "invalid blkaddr", "Mismatch valid blocks", "corrupt", "Magic Mismatch", "run fsck to fix", "Failed to get valid F2FS checkpoint", "Mismatch start address"}},
	{has: "FAT-fs (", kind: incident.FSCorrupt, and: "error, "},
	{has: "exFAT-fs (", kind: incident.FSCorrupt, or: []string{"error, ", "bogus", "invalid"}},
	{has: "ntfs3: ", kind: incident.FSCorrupt, or: []string{"orrupt", "looks like"}},
	{has: "MFTMirr does not match $MFT", kind: incident.FSCorrupt, device: nothing},
	{has: "filesystem consistency error", kind: incident.FSCorrupt, and: "GFS2"},
	{has: "bcachefs (", kind: incident.FSCorrupt, or: []string{"inconsistent", "emergency read only", "corrupt"}},
	{has: "errno=-28", kind: incident.NoSpace}, // btrfs
	{has: "Transaction aborted (error -28)", kind: incident.NoSpace},
	{has: "errno=-117", kind: incident.FSCorrupt},
	{has: "error loading log tree", kind: incident.FSCorrupt},
	{has: "ailed to read log tree", kind: incident.FSCorrupt},
	{has: "ailed to recover log tree", kind: incident.FSCorrupt},
	{has: "BTRFS ", kind: incident.FSDevice, and: "devid ", or: []string{" is missing"}},
	{has: "Can't find ext4 filesystem", kind: incident.FSNoSuper},
	{has: "can't find ext4 filesystem", kind: incident.FSNoSuper},
	{has: "bad option, bad superblock on", kind: incident.FSNoSuper, and: " on /dev/"},
	{has: "Invalid superblock magic number", kind: incident.FSNoSuper},
	{has: "can't read superblock", kind: incident.FSNoSuper},
	{has: "unable to read superblock", kind: incident.FSError},
	{has: "Bad magic number in super-block", kind: incident.FSNoSuper},
	{has: "superblock could not be read or does not describe", kind: incident.FSNoSuper, device: nothing},
	{has: "bad primary superblock - bad magic number", kind: incident.FSNoSuper, device: nothing},
	{has: "NTFS signature is missing", kind: incident.FSNoSuper, device: nothing},
	{has: "No valid Btrfs found on", kind: incident.FSNoSuper},
	{has: "Can't find valid F2FS filesystem", kind: incident.FSNoSuper},
	{has: "checksum invalid", kind: incident.FSCorrupt},
	{has: "bad entry in directory", kind: incident.FSCorrupt},
	{has: "deleted inode referenced", kind: incident.FSCorrupt},
	{has: "with error 117", kind: incident.FSCorrupt, and: "EXT4-fs"}, // EUCLEAN
	{has: "corrupt leaf", kind: incident.FSCorrupt},
	{has: "bad tree block", kind: incident.FSCorrupt},
	{has: "parent transid verify failed", kind: incident.FSCorrupt},
	{has: "csum failed", kind: incident.FSChecksum},
	{has: "checksum error at logical", kind: incident.FSChecksum},
	{has: "integrity: Checksum failed at sector", kind: incident.FSChecksum},
	{has: "INTEGRITY AEAD ERROR", kind: incident.FSChecksum},
	{has: "device-mapper: verity: ", kind: incident.FSChecksum, and: "is corrupted"},
	{has: "checksum verify failed", kind: incident.FSChecksum, and: "BTRFS"},
	{has: "errs: wr ", kind: incident.FSDevErrs},
	{has: "attempt to access beyond end of device", kind: incident.FSError},
	{has: "EXT4-fs error", kind: incident.FSError},
	{has: "EXT4-fs warning", kind: incident.FSError, and: "I/O error"},
	{has: "EXT3-fs error", kind: incident.FSError},
	{has: "metadata I/O error", kind: incident.FSError},
	{has: "lost async page write", kind: incident.IOError},
	{has: "lost sync page write", kind: incident.IOError},
	{has: "BTRFS error", kind: incident.FSError},
	{has: "BTRFS: error (device ", kind: incident.FSError},
	{has: "BTRFS critical", kind: incident.FSCorrupt},
	{has: ": file system full: ", kind: incident.FSFull},
	{has: "o space left on device", kind: incident.NoSpace, device: nothing, not: []string{"notify"}}, // watch limits have the same wording
	{has: "ENOSPC", kind: incident.NoSpace, device: nothing, not: []string{"notify", "watcher"}},
	{has: "isk quota exceeded", kind: incident.NoSpace, device: nothing},
	{has: "flood stage disk watermark", kind: incident.NoSpace, device: nothing}, // Elasticsearch
	{has: "flood-stage watermark", kind: incident.NoSpace, device: nothing},
	{has: "MON_DISK_LOW", kind: incident.NoSpace, device: nothing},
	{has: "MON_DISK_CRIT", kind: incident.NoSpace, device: nothing},
	{has: "low on available space", kind: incident.NoSpace, device: nothing},
	{has: "available space on local monitor storage", kind: incident.NoSpace, device: nothing},
	{has: "Errcode: 28", kind: incident.NoSpace, device: nothing}, // MySQL
	{has: "OS errno 28", kind: incident.NoSpace, device: nothing},
	{has: "Disk is full writing", kind: incident.NoSpace, device: nothing},
	{has: "not enough space on the disk", kind: incident.NoSpace, device: nothing},
	{has: "XFS internal error", kind: incident.FSCorrupt}, // of kernels that say: Filesystem "dm-0": …
	{has: "Unmount and run xfs_repair", kind: incident.FSCorrupt},
	{has: "bcachefs", kind: incident.FSCorrupt, or: []string{"error validating", "btree node read error", "unreadable btree", "fsck required", "bad btree", "journal entries missing", "missing journal", "emergency read-only", "sb invalid", "fsck_errors_not_fixed"}},
	{has: "bcachefs", kind: incident.FSChecksum, or: []string{"checksum error"}},
	{has: "bcachefs", kind: incident.FSDevice, or: []string{"nsufficient devices", "insufficient_devices"}},
	{has: "bcachefs", kind: incident.FSError, or: []string{"read error", "write error", "IO error", "I/O error"}},
	{has: "ntfs3(", kind: incident.FSCorrupt, or: []string{"orrupt", "looks like", "to use chkdsk"}},
	{has: "REISERFS error", kind: incident.FSCorrupt},
	{has: "UBIFS error", kind: incident.FSCorrupt, device: nothing, or: []string{"bad node", "corrupt", "bad CRC", "bad magic"}},
	{has: "OCFS2: ERROR", kind: incident.FSCorrupt},
	{has: "potential of on-disk corruption", kind: incident.FSCorrupt},
	{has: "ERROR: (device ", kind: incident.FSCorrupt, or: []string{"dbAlloc", "dbFree", "diFree", "diRead", "diWrite", "dtInsert", "dtSearch", "xtLookup", "xtInsert", "jfs_", "Corrupt"}}, // JFS
	{has: "freeing free block", kind: incident.FSCorrupt, device: nothing},                                                                                                                  // UFS
	{has: "mangled entry", kind: incident.FSCorrupt, device: nothing, and: "bad dir ino"},
	{has: "bad key order", kind: incident.FSCorrupt}, // btrfs check, and btrfs in old kernels
	{has: "database or disk is full", kind: incident.NoSpace, device: nothing},
	{has: "have enough free space in", kind: incident.NoSpace, device: nothing}, // apt
	{has: "nsufficient disk space", kind: incident.NoSpace, device: nothing},
	{has: "out of disk space", kind: incident.NoSpace, device: nothing},
	{has: "bcachefs", kind: incident.FSCheck, or: []string{", fixing", ", not fixing", "has errors"}},
	{has: "bcachefs", kind: incident.FSError, or: []string{"ournal stuck", "llocator stuck", "error starting filesystem"}},
	{has: "with error 28", kind: incident.NoSpace, and: "EXT4-fs"},
}

var volumeSignatures = []signature{
	{has: "Disk failure on", kind: incident.MDFailed, device: after("Disk failure on ")},
	{has: "](F)", kind: incident.MDFailed},
	{has: "read error corrected (", kind: incident.MDCorrected, device: after(" on ")},
	{has: ": rescheduling sector ", kind: incident.MDCorrected, device: before(": rescheduling")},
	{has: "DegradedArray event", kind: incident.MDDegraded},                                                         // mdadm's mail
	{has: "State : ", kind: incident.MDDegraded, device: nothing, and: "degraded", or: []string{"clean", "active"}}, // mdadm --detail
	{has: "has been started with ", kind: incident.MDDegraded, and: "(out of "},                                     // mdadm
	{has: "is busy - skipping", kind: incident.MDInactive, device: nothing, and: "mdadm"},
	{has: "doesn't match others - assembly aborted", kind: incident.MDNoSuper},
	{has: "No arrays found in config file", kind: incident.MDNoSuper, device: nothing},
	{has: "failed to run raid set", kind: incident.MDInactive, device: nothing},
	{has: "failed to RUN_ARRAY", kind: incident.MDInactive},
	{has: "no recogniseable superblock on", kind: incident.MDNoSuper},
	{has: "No super block found on", kind: incident.MDNoSuper},
	{has: "has no superblock - assembly aborted", kind: incident.MDNoSuper},
	{has: "invalid superblock checksum on", kind: incident.MDNoSuper},
	{has: "superblock, not importing!", kind: incident.MDNoSuper},
	{has: "invalid bitmap file superblock", kind: incident.MDNoSuper},
	{has: "faulty ", kind: incident.MDFailed, or: []string{"faulty   /dev/", "faulty spare   /dev/"}}, // mdadm --detail
	{has: "read error not correctable", kind: incident.MDFailed},
	{has: "kicking non-fresh", kind: incident.MDKicked, device: after("kicking non-fresh ")},
	{has: "out-of-data-space", kind: incident.ThinFull, device: nothing},
	{has: "no free data space", kind: incident.ThinFull, device: nothing},
	{has: "reached low water mark", kind: incident.ThinFull, device: nothing},
	{has: "out of metadata space", kind: incident.ThinFull, device: nothing},
	{has: "out-of-metadata-space", kind: incident.ThinFull, device: nothing},
	{has: "data is now 100", kind: incident.ThinFull, device: nothing, and: "hin pool "}, // dmeventd
	{has: "zio pool=", kind: incident.ZFSIO, and: "error=5", not: []string{"error=52"}, device: zioDevice},
	{has: "zio pool=", kind: incident.ZFSChecksum, and: "error=52", device: zioDevice},
	{has: "encountered an uncorrectable I/O failure", kind: incident.ZFSSuspended, device: nothing},
	{has: "pool I/O is currently suspended", kind: incident.ZFSSuspended, device: nothing},
	{has: "SUSPENDED", kind: incident.ZFSSuspended, and: "state:", device: nothing},
	{has: "device-mapper table: target error", kind: incident.MapFails},
	{has: "device-mapper table: target flakey", kind: incident.MapFails},
	{has: "device-mapper table: target delay", kind: incident.MapDelays},
	{has: "device-mapper: suspended", kind: incident.MapSuspended},
	{has: ": loop device of ", kind: incident.LoopShort, and: "but its file "},
	{has: "Failing path", kind: incident.PathFailed, device: nothing},
	{has: "remaining active paths: 0", kind: incident.PathsLost, device: nothing},
	{has: "remaining active paths", kind: incident.PathFailed, device: nothing},
}

// zioDevice returns the device in a line of the ZFS kernel module or zed:
// vdev=/dev/sda1. Of names in /dev/disk/by-id, the end tells disks of a model apart.
func zioDevice(text string) string {
	_, path, _ := strings.Cut(text, "vdev=")
	if end := strings.IndexAny(path, " \t,;'\""); end >= 0 {
		path = path[:end]
	}
	if name := device(path); name != "" {
		return incident.Whole(name)
	}
	if _, name, is := strings.Cut(path, "/dev/disk/by-"); is {
		path = name[strings.IndexByte(name, '/')+1:]
	}
	const longest = 64
	return path[max(0, len(path)-longest):]
}
