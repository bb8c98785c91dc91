package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// modes match the names of drives whose firmware did not start: they show the
// controller's own name instead of the product's.
var modes = []signature{
	{has: "ERRORMOD", kind: incident.DriveMode, device: modeDevice},  // Samsung
	{has: "SATAFIRM", kind: incident.DriveMode, device: modeDevice},  // Phison
	{has: "YATAPDONG", kind: incident.DriveMode, device: modeDevice}, // Indilinx
	{has: "SandForce{200026BB}", kind: incident.DriveMode, device: modeDevice},
	{has: "BAD_CTX", kind: incident.DriveMode, device: modeDevice}, // Intel's serial number
	{has: "ROM MODE", kind: incident.DriveMode, device: modeDevice, or: []string{"ata", "ATA", "nvme", "SSD"}},
	{has: "MARVELL VIRTUAL", kind: incident.DriveMode, device: modeDevice, not: []string{"Marvell Virtual"}, and: "ROM"},
	{has: "globally duplicate IDs for nsid", kind: incident.DriveIDs},
	{has: "duplicate IDs in subsystem for nsid", kind: incident.DriveIDs},
	{has: "duplicate cntlid", kind: incident.DriveIDs, and: "nvme"},
	{has: "identifiers changed for nsid", kind: incident.DriveIDs},
}

// modeDevice returns the drive in a row of nvme list or in a kernel line.
func modeDevice(text string) string { return incident.ControllerOf(blockDevice(text)) }

// spare reads "available_spare : 3%" and the threshold below it: a drive with less than
// that has few spare blocks left to replace bad ones.
func (r *Reader) spare(text string, n int) {
	name, value, ok := strings.Cut(text, ":")
	share, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), "%"))
	if !ok || err != nil || share < 0 || share > 100 {
		return
	}
	if !strings.Contains(strings.ToLower(name), "threshold") {
		r.spares = spares{line: n, share: share}
		return
	}
	const lines = 3
	if r.spares.line > 0 && n-r.spares.line <= lines && r.spares.share < share {
		r.smart(incident.SMARTWarning, lowSpare, text, n)
	}
	r.spares = spares{}
}

// lowSpare is the critical warning bit with the same meaning.
const lowSpare = 1

// spares is how much spare capacity a drive reported.
type spares struct{ line, share int }
