package blame

import (
	"fmt"
	"strconv"

	"assay/incident"
	"assay/internal/lazyregexp"
)

var thermal = Rule{ID: "thermal", Title: "Heat", Check: func(c Case) []Cause {
	hot, throttled, warm := c.of(incident.TooHot), c.of(incident.Throttled), c.of(incident.Warm, incident.FanFailed)
	if len(hot)+len(throttled)+len(warm) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Thermal, How: Possible, Says: "heat: the CPU is throttled", Why: "The CPU slows itself down. That makes things slow and breaks nothing by itself.", Evidence: quote(4, hot, warm, throttled),
		Next: []Step{{"check temperatures and fans under load", "sensors"}}, explains: []incident.Kind{incident.Throttled, incident.TooHot, incident.Warm, incident.FanFailed, incident.MCELogged}}
	if n := crossings(throttled); n >= oftenHot && c.only(cause.explains) {
		cause.How = VeryLikely
		cause.Why = fmt.Sprintf("The CPU passed its limit %d times since boot: its cooling can't keep up with its load. That makes things slow, and breaks nothing by itself; nothing in these texts is broken.", n)
	}
	if cause.How == Possible && len(hot)+len(warm) == 0 && (total(throttled) > 1 || crossings(throttled) > 1 || says(throttled, "throttled=0x")) && c.only(cause.explains) {
		cause.How = Likely
		cause.Why = "The CPU reached its temperature limit and slowed itself down, and nothing else in these texts is wrong. Now and then that is normal on laptops and small machines; it is a fault if it lasts under load."
	}
	if len(warm) > 0 && c.only(cause.explains) {
		cause.How, cause.Says, cause.Why = VeryLikely, "heat: a part is above its limit, or its fan stopped", "A sensor is past the limit that is set for it, and nothing else in these texts is wrong."
	}
	if len(hot) > 0 {
		cause.How, cause.Says, cause.Why = VeryLikely, "heat: a critical temperature was reached", "The machine protects itself by shutting down or resetting."
		cause.explains = append(cause.explains, incident.MCE, incident.Rebooted, incident.NVMeDown, incident.NVMeTimeout)
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}

// oftenHot is how often a poorly cooled CPU passes its limit. Bursts of load do so now and
// then on any small machine.
const oftenHot = 100

var crossingsForm = lazyregexp.New(`\(total events = (\d{1,12})\)`)

// crossings returns how often the CPU has passed its limit since boot, by the kernel's
// count.
func crossings(throttled []incident.Event) int {
	most := 0
	for _, e := range throttled {
		if m := crossingsForm.FindStringSubmatch(e.Text); m != nil {
			n, _ := strconv.Atoi(m[1])
			most = max(most, n)
		}
	}
	return most
}
