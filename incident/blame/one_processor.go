package blame

import (
	"fmt"

	"assay/incident"
)

// sameProcessor is the number of crashes on one processor of several that rules
// out chance.
const sameProcessor = 4

// oneProcessor finds programs that crash on the same processor.
var oneProcessor = Rule{ID: "one-processor", Title: "Programs crash on one processor", Check: func(c Case) []Cause {
	events := c.of(incident.CrashOnCPU)
	programs := devices(c.of(incident.Segfault))
	if len(programs) < 2 || len(devices(events)) != 1 || total(events) < sameProcessor {
		return nil
	}
	return []Cause{{Layer: incident.Memory, Host: events[0].Host, How: Likely, Says: "a processor core: all crashes are on " + events[0].Device,
		Why:      fmt.Sprintf("%d programs crashed, and each of the %d crashes was on the same processor. A bug in a program, or memory, does not prefer one.", len(programs), total(events)),
		Evidence: quote(5, events, c.of(incident.Segfault)),
		Next:     []Step{{"take that processor out and see whether the crashes stop; update firmware and microcode, and undo overclocking", "echo 0 > /sys/devices/system/cpu/cpuN/online"}},
		explains: []incident.Kind{incident.CrashOnCPU, incident.Segfault, incident.PCIeNarrow, incident.HungTask, incident.KernelPanic}}}
}}
