package read

import "assay/incident"

// controllerSignatures match messages of storage adapter drivers, and RAID controllers'
// events about their drives.
var controllerSignatures = []signature{
	{has: "Power Supply", kind: incident.PowerLost, device: nothing, and: "Predictive", or: []string{"| Asserted"}},
	{has: "AHCI controller unavailable", kind: incident.ControllerGone, device: pci},
	{has: "controller reset failed (0xffffffff)", kind: incident.ControllerGone, device: pci},
	{has: "(SStatus FFFFFFFF", kind: incident.ControllerGone}, // no register answers
	{has: "(SControl FFFFFFFF)", kind: incident.ControllerGone},
	{has: "EEH: Frozen P", kind: incident.ControllerGone, device: nothing},
	{has: "EEH: Reset with hotplug", kind: incident.ControllerGone, device: nothing},
	{has: "fault_state(", kind: incident.HBAFault, device: nothing},
	{has: "sending diag reset", kind: incident.HBAFault, device: nothing},
	{has: "SAS host is non-operational", kind: incident.HBAFault, device: nothing},
	{has: "FW in FAULT state", kind: incident.HBAFault, device: nothing},
	{has: "resetting fusion adapter", kind: incident.HBAFault, device: nothing},
	{has: "megasas: RESET cmd=", kind: incident.HBAFault, device: nothing},
	{has: "ontroller encountered a fatal error", kind: incident.HBAFault, device: nothing},
	{has: "ontroller lockup detected", kind: incident.HBAFault, device: nothing},
	{has: "controller offline", kind: incident.HBAFault, device: nothing, and: "smartpqi"},
	{has: "mpt", kind: incident.HBAFault, device: nothing, or: []string{"coredump_state(0x", "diag reset: FAILED", "Firmware is halted due to command timeout", "failed going to ready state", "failed due to ioc not operational", "doorbell handshake ", "handshake failed (r="}},
	{has: "SMP command sent to the expander", kind: incident.HBAInfo, device: nothing, or: []string{"has failed", "has timed out"}},
	{has: "megaraid_sas", kind: incident.HBAFault, device: nothing, or: []string{"Failed to init firmware", "is not OPERATIONAL", "cannot recover from previous reset failures", "Hardware critical error, returning FAILED", "HBA is killed", "HBA failed to become operational", ") is timed out, func:", "forcibly FAULT Firmware"}},
	{has: "killing adapter scsi", kind: incident.HBAFault, device: nothing}, // megaraid_sas
	{has: "Failed to transition controller to ready", kind: incident.HBAFault, device: nothing},
	{has: "Failed from megasas_init_fw", kind: incident.HBAFault, device: nothing},
	{has: "Diag reset adapter never cleared", kind: incident.HBAFault, device: nothing},
	{has: "FW state [", kind: incident.HBAFault, device: nothing, and: "hasn't changed in"},
	{has: "dapter kernel panic'd", kind: incident.HBAFault, device: nothing}, // aacraid
	{has: "Host adapter BLINK LED 0x", kind: incident.HBAFault, device: nothing},
	{has: "adapter blinkLED 0x", kind: incident.HBAFault, device: nothing},
	{has: "first asynchronous command timed out", kind: incident.HBAFault, device: nothing},
	{has: "Host device reset request. SCSI hang ?", kind: incident.TaskAbort, device: nothing},
	{has: "Host target reset request. SCSI hang ?", kind: incident.TaskAbort, device: nothing},
	{has: "timed out waiting for PQI", kind: incident.HBAFault, device: nothing}, // smartpqi
	{has: "hpsa", kind: incident.HBAFault, device: nothing, or: []string{"Board failed to become ready", "board not ready, timed out", "Failed waiting for board to become ready"}},
	{has: "Host adapter dead ", kind: incident.HBAFault, device: nothing},
	{has: "Host adapter is dead", kind: incident.HBAFault, device: nothing},
	{has: "controller is offline: status code", kind: incident.HBAFault, device: nothing}, // smartpqi
	{has: "Host adapter reset request", kind: incident.HBAFault, device: nothing},         // aacraid
	{has: "Host bus reset request", kind: incident.HBAFault, device: nothing},
	{has: "Host adapter abort request", kind: incident.HBAFault, device: nothing},
	{has: "executing bus reset eh", kind: incident.HBAFault, device: nothing, and: "arcmsr"},
	{has: "timed out, resetting card", kind: incident.HBAFault, device: nothing, and: "3w-"},
	{has: "FW Fault, calling reset adapter", kind: incident.HBAFault, device: nothing}, // mr_sas of illumos
	{has: "HBA reset failed", kind: incident.HBAFault, device: nothing},
	{has: "ISP System Error", kind: incident.HBAFault, device: nothing, and: "qla2"},
	{has: "Disabling adapter", kind: incident.HBAFault, device: nothing, and: "qla2xxx"}, // for an error on PCI
	{has: "Predictive failure: PD ", kind: incident.RAIDDrive, device: nothing},          // megaraid_sas and its tools
	{has: "State change on PD ", kind: incident.RAIDDrive, device: nothing, and: "to FAILED"},
	{has: "Unexpected sense: PD ", kind: incident.RAIDDrive, device: nothing, or: []string{"ense: 3/", "ense: 4/"}},
	{has: "Firmware state: Failed", kind: incident.RAIDDrive, device: nothing},
	{has: "Firmware state: Unconfigured(bad)", kind: incident.RAIDDrive, device: nothing},
	{has: "Device State ", kind: incident.RAIDDrive, device: nothing, and: ": FAILED"}, // Areca's cli64
	{has: "physicaldrive ", kind: incident.RAIDDrive, device: nothing, or: []string{", Failed)", ", Predictive Failure)"}},
	{has: "Failed drives:", kind: incident.RAIDDrive, device: nothing}, // cciss_vol_status
	{has: "Drive ECC error reported", kind: incident.RAIDDrive, device: nothing, and: "3w-"},
	{has: "Drive error detected", kind: incident.RAIDDrive, device: nothing, and: "3w-"},
	{has: "| Drive Fault |", kind: incident.RAIDDrive, device: nothing}, // ipmitool sel list
	{has: "egraded | /dev/sd", kind: incident.RAIDDegraded},             // megaclisas-status
	{has: "is now DEGRADED", kind: incident.RAIDDegraded, device: nothing, and: "VD "},
	{has: "is now PARTIALLY DEGRADED", kind: incident.RAIDDegraded, device: nothing, and: "VD "},
	{has: "State               : Degraded", kind: incident.RAIDDegraded, device: nothing}, // MegaCli
	{has: "iuCRC error detected", kind: incident.ParityError},
	{has: "Add. Sense: Scsi parity error", kind: incident.ParityError},
	{has: "Add. Sense: Nak received", kind: incident.ParityError},
	{has: "Add. Sense: Ack/nak timeout", kind: incident.ParityError},
	{has: "DID_PARITY", kind: incident.ParityError},
	{has: "Fatal firmware error: ", kind: incident.HBAFault, device: nothing}, // events of megaraid_sas
	{has: "adapter reset failed", kind: incident.HBAFault, device: nothing, or: []string{"aacraid", "ips", "megaraid", "pmcraid", "ipr"}},
	{has: "Adapter raised an error", kind: incident.HBAFault, device: nothing, or: []string{"mvsas", "arcmsr", "aacraid"}},
	{has: "Unrecoverable medium error", kind: incident.RAIDDrive, device: nothing, and: "PD "},
	{has: "Puncturing bad block on PD", kind: incident.RAIDDrive, device: nothing},
	{has: "S.M.A.R.T alert : Yes", kind: incident.RAIDDrive, device: nothing},              // MegaCli
	{has: "SMART alert flagged by drive = Yes", kind: incident.RAIDDrive, device: nothing}, // storcli
	{has: "S.M.A.R.T alert flagged by drive = Yes", kind: incident.RAIDDrive, device: nothing},
	{has: " UBad ", kind: incident.RAIDDrive, device: nothing, or: []string{" HDD ", " SSD "}}, // storcli's table of drives
	{has: " Failed ", kind: incident.RAIDDrive, device: nothing, or: []string{" SAS  HDD ", " SATA HDD ", " SATA SSD ", " SAS  SSD ", " SAS HDD ", " SAS SSD "}},
	{has: " Dgrd ", kind: incident.RAIDDegraded, device: nothing, or: []string{"RAID"}}, // storcli's table of volumes
	{has: " Pdgd ", kind: incident.RAIDDegraded, device: nothing, or: []string{"RAID"}},
	{has: "Interim Recovery Mode", kind: incident.RAIDDegraded, device: nothing},                       // ssacli
	{has: "Status of Logical Device", kind: incident.RAIDDegraded, device: nothing, and: ": Degraded"}, // arcconf
	{has: "Status of logical device", kind: incident.RAIDDegraded, device: nothing, or: []string{": Degraded", ": Suboptimal"}},
	{has: "Status: Predictive Failure", kind: incident.RAIDDrive, device: nothing},      // ssacli
	{has: "Failure Predicted", kind: incident.RAIDDrive, device: nothing, and: ": Yes"}, // omreport
	{has: "Degraded (DGD)", kind: incident.RAIDDegraded, device: nothing},               // sas2ircu
	{has: "Failed (FLD)", kind: incident.RAIDDrive, device: nothing},                    // sas2ircu
	{has: "state DEGRADED, flags", kind: incident.RAIDDegraded, device: nothing},        // mpt-status
	{has: "ECC-ERROR", kind: incident.RAIDDrive, device: nothing},                       // tw_cli
	{has: " DEGRADED ", kind: incident.RAIDDegraded, device: nothing, and: "RAID-"},
	{has: "volume is now degraded", kind: incident.RAIDDegraded, device: nothing},      // mptbase
	{has: "PhysDisk is now failed", kind: incident.RAIDDrive, device: nothing},         // mptbase
	{has: "Fault detected on drive ", kind: incident.RAIDDrive, device: nothing},       // Dell's log
	{has: "redictive failure reported for", kind: incident.RAIDDrive, device: nothing}, // Dell's
	{has: "predictive failure on drive ", kind: incident.RAIDDrive, device: nothing},   // Dell's
	{has: "Drive Fault", kind: incident.RAIDDrive, device: nothing, and: "Asserted"},   // ipmitool sel elist
	{has: "Predictive Failure", kind: incident.RAIDDrive, device: nothing, and: "| Asserted"},
	{has: "In Failed Array", kind: incident.RAIDDegraded, device: nothing, and: "Asserted"},
	{has: "In Critical Array", kind: incident.RAIDDegraded, device: nothing, and: "Asserted"},
	{has: "Internal Storage Enclosure Device Failure", kind: incident.RAIDDrive, device: nothing}, // HPE's log
	{has: "rive Array Device Failure", kind: incident.RAIDDrive, device: nothing},
	{has: "Drive reporting too many medium errors", kind: incident.RAIDDrive, device: nothing}, // of enclosures
	{has: "Drive fault type ", kind: incident.RAIDDrive, device: nothing, and: "Error Code"},
	{has: "Degraded unit: unit=", kind: incident.RAIDDegraded, device: nothing, or: []string{"3w-", "twa", "tws"}},
	{has: "failed due to timeout count", kind: incident.HBAFault, device: nothing, and: "_base_wait_for_doorbell"},
	{has: "port enable: FAILED", kind: incident.HBAFault, device: nothing},
	{has: "remain after waiting, will reset adapter", kind: incident.HBAFault, device: nothing},
	{has: "no heartbeat detected - last heartbeat count", kind: incident.HBAFault, device: nothing},
	{has: "wait 'abort all outstanding command' timeout", kind: incident.HBAFault, device: nothing},
	{has: "IOC Fault 0x", kind: incident.HBAFault, device: nothing}, // mps, mpr of FreeBSD
	{has: "Physical disk", kind: incident.RAIDDrive, device: nothing, or: []string{"SMART alert", "has failed", "redictive failure"}},
	{has: "Physical Disk", kind: incident.RAIDDrive, device: nothing, or: []string{"Device failed: ", "Predictive Failure reported"}}, // Dell's OMSA
	{has: "Redundancy lost", kind: incident.RAIDDegraded, device: nothing, and: "Virtual Disk"},
	{has: "Virtual disk degraded", kind: incident.RAIDDegraded, device: nothing},
	{has: "emperature threshold exceeded", kind: incident.Warm, device: nothing, or: []string{"ontroller", "nclosure", "ROC"}},
	{has: "Bad sector was found on disk", kind: incident.RAIDDrive, device: nothing}, // Synology
	{has: "is now OFFLINE", kind: incident.RAIDDegraded, device: nothing, and: "VD "},
	{has: "State change on VD ", kind: incident.RAIDDegraded, device: nothing, or: []string{"to OFFLINE", "to DEGRADED", "to PARTIALLY DEGRADED", "to FAILED"}},
	{has: "oreign configuration", kind: incident.RAIDDegraded, device: nothing, or: []string{"detected", "found"}, not: []string{"0 foreign", "No foreign", "no foreign", "not found"}},
	{has: "oreign Configuration", kind: incident.RAIDDegraded, device: nothing, or: []string{"Detected", "detected"}},
	{has: "device_block, handle(", kind: incident.HBAInfo, device: nothing}, // mpt3sas, for a drive that is briefly gone
	{has: "device_unblock and setting to running", kind: incident.HBAInfo, device: nothing},
	{has: ": attempting ", kind: incident.TaskAbort, device: nothing, and: " reset! scmd(", or: []string{"device", "target", "host"}}, // mpt3sas
	{has: "Abort command issued nexus", kind: incident.TaskAbort, device: nothing},                                                    // qla2xxx
	{has: "Adapter is OFFLINE", kind: incident.HBAFault, device: nothing},
	{has: "commands to complete for scsi", kind: incident.HBAFault, device: nothing, and: "waiting for"},
}
