package blame

import (
	"fmt"
	"slices"

	"assay/incident"
)

// failingPrograms is how many unrelated programs must crash for file system damage next to
// them to come from memory.
const failingPrograms = 3

// damagesBoth finds memory that damages both programs and file system structures held in it.
var damagesBoth = Rule{ID: "damages-both", Title: "Programs crash, and a file system is damaged", Check: func(c Case) []Cause {
	crashed := c.of(incident.Segfault)
	wrong := slices.DeleteFunc(c.of(incident.FSCorrupt, incident.FSChecksum, incident.FSError, incident.ZFSChecksum), func(e incident.Event) bool { return readsFailed([]incident.Event{e}) })
	if len(devices(crashed)) < failingPrograms || len(wrong) == 0 || c.has(atLinks...) || c.has(incident.IOError, incident.MediumError, incident.NVMeMedia, incident.NoSpace) || c.has(driveKinds...) {
		return nil
	}
	return []Cause{{Layer: incident.Memory, Host: crashed[0].Host, How: VeryLikely, Says: "memory that flips bits: programs crash, and a file system finds its structures wrong",
		Why:      fmt.Sprintf("%d programs that have nothing in common crashed, and a file system found something wrong that no device failed to read. What they share is memory.", len(devices(crashed))),
		Evidence: quote(5, crashed, wrong),
		Next:     []Step{{"test the memory before anything is repaired: a repair with bad memory does more damage", "memtester 1G 3   # memtest86+ from the boot menu tests all of it"}},
		explains: with(consequences, incident.Segfault, incident.ZFSChecksum, incident.BadPage)}}
}}
