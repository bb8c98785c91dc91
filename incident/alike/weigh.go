package alike

import (
	"fmt"

	"assay/incident"
	"assay/incident/blame"
)

// sure is the sureness that lets known incidents speak where no rule does.
const sure = 0.4

// Weigh adds what known incidents suggest to the verdict: a suspicion if no rule has one.
// They decide nothing: where the rules are undecided, the layer to blame in the nearest
// incidents was wrong as often as right (doc/diagnose.md).
func (s *Set) Weigh(v blame.Verdict, log incident.Log) (blame.Verdict, Likeness) {
	l := s.Compare(log)
	if v.Cause == nil && len(v.Between) == 0 && l.Sure >= sure {
		v.Between = []blame.Cause{{
			Rule: "alike", Layer: l.Layer, How: blame.Possible, Says: says[l.Layer], Evidence: quoted(l.Telling),
			Why: fmt.Sprintf("No rule knows these lines. Of the %d known incidents that read most like them, %d had this layer to blame.", len(l.Nearest), l.Agree),
		}}
	}
	return v, l
}

// says names what is to blame if no rule has better words for it.
var says = map[incident.Layer]string{
	incident.Link:        "a cable, port or backplane",
	incident.Drive:       "a drive",
	incident.Controller:  "a controller or its PCIe link",
	incident.Memory:      "memory or a processor",
	incident.Power:       "the power supply",
	incident.Thermal:     "heat",
	incident.Network:     "the network",
	incident.Session:     "the session to remote storage (iSCSI, NVMe-oF, NFS)",
	incident.Engine:      "the replication engine",
	incident.Volumes:     "ZFS, md or LVM",
	incident.FileSystem:  "a file system",
	incident.Hypervisor:  "the hypervisor",
	incident.OutOfMemory: "too little memory",
	incident.Clock:       "a clock",
	incident.Operator:    "something that was set up, changed or stopped",
}

// quoted returns lines as evidence, of no kind that a rule knows.
func quoted(lines []incident.Line) []incident.Event {
	var all []incident.Event
	for _, l := range lines {
		all = append(all, incident.Event{Text: l.Text, Source: l.Source, Count: 1})
	}
	return all
}
