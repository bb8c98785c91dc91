package blame

import (
	"fmt"
	"strings"

	"assay/incident"
)

func containsFold(s, part string) bool { return strings.Contains(strings.ToLower(s), part) }

// named returns a device for use in a sentence: "/dev/sdk on pve4".
func (p place) named() string {
	text := p.device
	if text == "" {
		text = "a device"
	} else if isBlock(text) {
		text = "/dev/" + text
	}
	if p.host != "" {
		text += " on " + p.host
	}
	return text
}

// isBlock reports whether a name is that of a block device node in /dev.
func isBlock(name string) bool {
	for _, prefix := range []string{"sd", "nvme", "vd", "xvd", "md", "dm-", "loop", "rbd", "drbd", "zd", "mmcblk", "nbd"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// times returns a count in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// path returns the device node for use in a command, or a placeholder if it is
// unknown.
func path(device string) string {
	if isBlock(device) {
		return "/dev/" + device
	}
	return "/dev/DEVICE"
}

// treeCommand shows what block devices are attached to.
const treeCommand = "lsblk -o NAME,TRAN,VENDOR,MODEL,TYPE,MOUNTPOINTS"

// noDriveErrors returns the evidence in the texts that clears the drives.
func (c *Case) noDriveErrors() []string {
	var said []string
	if !c.has(driveKinds...) {
		said = append(said, "no SATA, SAS or NVMe drive logged a media error of its own in these texts")
	}
	if c.has(incident.SMARTClean) && !c.has(smartKinds...) {
		said = append(said, "the SMART reports in these texts count no errors")
	}
	return said
}

// driveKinds are reported only by drives and their drivers.
var driveKinds = []incident.Kind{incident.ATAFault, incident.RAIDDrive, incident.SMARTPast, incident.ATAMedia, incident.NVMeMedia, incident.SMARTFailed, incident.SMARTPending, incident.SMARTMedia, incident.SMARTSelfTest, incident.SMARTErrorLog}

// smartKinds are errors that drives report about themselves.
var smartKinds = []incident.Kind{incident.SMARTFailed, incident.SMARTPending, incident.SMARTMedia, incident.SMARTSelfTest, incident.SMARTErrorLog, incident.SMARTRealloc}

// consequences are what file systems and programs report for any fault below
// them.
var consequences = []incident.Kind{
	incident.FSError, incident.FSAbort, incident.FSReadOnly, incident.FSCorrupt, incident.FSChecksum, incident.FSDevErrs, incident.HungTask, incident.AppIO, incident.AppReadOnly,
	incident.PodCrash, incident.MountFailed, incident.MDFailed, incident.MapFails, incident.MDKicked, incident.ZFSIO, incident.ZFSSuspended, incident.ZFSFaulted,
	incident.DRBDDisk, incident.CephStalled, incident.CephSlow, incident.CephDown, incident.CephScrub, incident.CephDegraded, incident.IOError,
	incident.MultiAttach, incident.FSCheck, incident.WaitsForRPC, incident.WaitsForCeph, incident.WaitsForDisk, incident.MDCorrected, incident.MDDegraded, incident.FSNoSuper, incident.NotReady, incident.SectorAgain, incident.WaitsForDRBD, incident.CephMarked, incident.BootMount, incident.KernelPanic, incident.EngineError, incident.HypervisorError, incident.LeaseLost,
}

func with(base []incident.Kind, more ...incident.Kind) []incident.Kind {
	return append(append([]incident.Kind{}, base...), more...)
}

// only returns the name if there is exactly one, else "".
func only(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return ""
}

// firstHost returns the host of the first event.
func firstHost(events []incident.Event) string {
	if len(events) == 0 {
		return ""
	}
	return events[0].Host
}

// remoteErrors are what disks report when the path to their data is gone.
var remoteErrors = with(consequences, incident.MediumError, incident.TargetError, incident.TransportError, incident.DeviceOffline, incident.NoConnect, incident.CommandTimeout, incident.PathFailed, incident.PathsLost)
