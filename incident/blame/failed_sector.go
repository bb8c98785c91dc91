package blame

import (
	"fmt"

	"assay/incident"
)

// fewSectors is the most sectors of a disk that may fail: more look like a disk that is
// gone, where all do.
const fewSectors = 4

// failedSector finds repeated read failures of one sector, with no sign that the path to
// the disk fails.
var failedSector = Rule{ID: "failed-sector", Title: "The same sector of a disk fails again", Check: func(c Case) []Cause {
	var found []Cause
	for _, e := range c.of(incident.SectorAgain) {
		d := c.Stack.Find(e.Host, e.Device)
		if e.Value > fewSectors || d.Transport.Remote() || d.Transport == incident.Virtual || c.hasOn(e.Host, incident.IsGuest) || c.longhorn() ||
			c.has(atLinks...) || c.has(incident.MediumError, incident.WriteReadError, incident.USBGone, incident.HBAFault, incident.HBAInfo, incident.NVMeGone, incident.NVMeDead, incident.NVMeTimeout, incident.PodCrash, incident.NVMeOFConn, incident.ISCSIConn) {
			continue
		}
		p := place{e.Host, e.Device}
		found = append(found, Cause{
			Layer: incident.Drive, Host: e.Host, Device: e.Device, How: Likely, Says: "a drive: the same sector of it fails again and again",
			Why:      fmt.Sprintf("Reads of the same few sectors of %s failed more than once, and no line speaks of resets, timeouts or damaged transfers. A disk that is cut off fails everywhere.", p.named()),
			Evidence: quote(4, []incident.Event{e}, c.of(incident.IOError)), Next: []Step{{"check whether pending or media errors grew, and run a long self-test", fmt.Sprintf("smartctl -x %s; smartctl -t long %s", path(e.Device), path(e.Device))}},
			explains: with(consequences, incident.SectorAgain, incident.TargetError, incident.NVMeInternal, incident.ATADeviceFail, incident.ZFSChecksum, incident.MDCorrected),
		})
	}
	return merge(found)
}}
