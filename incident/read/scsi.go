package read

import "assay/incident"

// answerSignatures match SCSI devices' answers (additional sense, as worded in the kernel's
// table), the outcome of commands (host byte), and the block layer's names for them.
var answerSignatures = []signature{
	// the block layer, by blk_status_t name
	{has: "recoverable transport error, dev ", kind: incident.TransportError},
	{has: "timeout error, dev ", kind: incident.CommandTimeout},
	{has: "protection error, dev ", kind: incident.IOError},
	{has: "critical nexus error, dev ", kind: incident.Refused}, // a reservation held by another host
	{has: "reservation conflict error, dev ", kind: incident.Refused},
	{has: ": reservation conflict", kind: incident.Refused, device: nothing, or: []string{"sd ", "scsi"}},
	{has: "Reservation Conflict (sct 0x0 / sc 0x83)", kind: incident.Refused},
	{has: "Medium access timeout failure. Offlining disk!", kind: incident.DeviceOffline},
	// host bytes
	{has: "hostbyte=DID_ABORT", kind: incident.TaskAbort},
	{has: "hostbyte=DID_BUS_BUSY", kind: incident.TransportError},
	{has: "hostbyte=DID_TRANSPORT_MARGINAL", kind: incident.TransportError},
	{has: "hostbyte=DID_ALLOC_FAILURE", kind: incident.SpaceError},
	{has: "hostbyte=DID_MEDIUM_ERROR", kind: incident.MediumError},
	{has: "hostbyte=0x05", kind: incident.TaskAbort},
	{has: "hostbyte=0x08", kind: incident.TransportError},
	{has: "hostbyte=0x0b", kind: incident.TransportError},
	// space behind a thinly provisioned volume
	{has: "Space allocation failed write protect", kind: incident.SpaceError},
	{has: "reached a thin provisioning soft threshold", kind: incident.SpaceError},
	// damaged transfers; older kernels omit the "iu"
	{has: "Information unit CRC error detected", kind: incident.ParityError},
	{has: "Data phase CRC error detected", kind: incident.ParityError},
	{has: "Protocol service CRC error", kind: incident.ParityError},
	{has: "Logical unit communication CRC error", kind: incident.ParityError},
	{has: "Logical unit communication parity error", kind: incident.ParityError},
	// no answer behind a bridge or expander
	{has: "Add. Sense: Logical unit communication ", kind: incident.CommandTimeout, or: []string{"failure", "time-out"}},
	{has: "Add. Sense: Timeout on logical unit", kind: incident.CommandTimeout},
	{has: "Add. Sense: Initiator response timeout", kind: incident.TransportError},
	{has: "Add. Sense: Connection lost", kind: incident.TransportError},
	// the medium
	{has: "Add. Sense: ", kind: incident.MediumError, or: []string{"Read retries exhausted", "Error too long to correct", "Id CRC or ECC error", "Record not found", "Data synchronization mark error", "Address mark not found for", "Medium format corrupted", "Positioning error detected by read of medium"}},
	// the drive's mechanics and electronics
	{has: "Add. Sense: ", kind: incident.HardwareError, or: []string{"Peripheral device write fault", "Track following error", "Tracking servo failure", "Spindle servo failure", "Head select fault", "Random positioning error", "Logical unit failed self-test", "Logical unit failed self-configuration", "Diagnostic failure on component", "Power-on or self-test failure", "Defect list update failure"}},
	{has: "Add. Sense: Warning - specified temperature exceeded", kind: incident.Warm},
	// predicted failures; (false) is a test of the report
	{has: "impending failure endurance limit met", kind: incident.SMARTWorn},
	{has: "Add. Sense: ", kind: incident.SMARTFailed, or: []string{"impending failure", "ailure prediction threshold exceeded", "exhaustion prediction threshold exceeded"}, not: []string{"(false)"}},
	// swap in memory (zram, major 252 and up) fails when memory runs out
	{has: "Read-error on swap-device (", kind: incident.IOError, not: []string{"device (25"}},
	{has: "Write-error on swap-device (", kind: incident.IOError, not: []string{"device (25", "device (7:"}},
}
