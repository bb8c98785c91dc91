package blame

import (
	"slices"
	"time"

	"assay/incident"
)

const (
	// manyPrograms is how many programs must crash for it to be unlikely that they are at
	// fault.
	manyPrograms = 4
	// crashing is the time within which they must.
	crashing = time.Hour
)

// crashes finds machines on which one program after the other crashes.
var crashes = Rule{ID: "crashes", Title: "Programs crash, one after the other", Check: func(c Case) []Cause {
	events := within(c.of(incident.Segfault), crashing)
	if len(devices(events)) < manyPrograms {
		return nil
	}
	cause := Cause{Layer: incident.Memory, Host: events[0].Host, How: Possible, Says: "memory or CPU: programs crash that have nothing in common", Why: "Several programs crashed (segmentation fault). A bug is in one of them or in what they share; bad memory or a faulty CPU can hit any of them.", Evidence: quote(5, events),
		Next: []Step{{"test the memory overnight, without overclocking", "memtester 1G 3   # memtest86+ from the boot menu tests all of it"}}, explains: []incident.Kind{incident.Segfault, incident.BadPage}}
	if c.only(cause.explains) {
		cause.How = Likely
	}
	return []Cause{cause}
}}

// within returns the events that began within span of the first, as far as they tell.
func within(events []incident.Event, span time.Duration) []incident.Event {
	return slices.DeleteFunc(events, func(e incident.Event) bool {
		after, known := e.First.Since(events[0].First)
		return known && after > span
	})
}
