package blame

import "assay/incident"

// stolenTime finds guests whose CPUs the hypervisor does not schedule.
var stolenTime = Rule{ID: "stolen-time", Title: "A hypervisor takes processor time from a guest", Check: func(c Case) []Cause {
	events := c.of(incident.Stolen)
	if len(events) == 0 {
		return nil
	}
	return []Cause{{
		Layer: incident.Hypervisor, Host: events[0].Host, How: VeryLikely, Says: "a hypervisor that has too few processors for its guests",
		Why:      "The guest had work to do, and the hypervisor ran something else on its CPUs: that is steal time.",
		Evidence: quote(3, events), Next: []Step{{"on the hypervisor: see how busy its processors are, and which guests have limits", "vmstat 1 5; virsh schedinfo GUEST   (qm config VMID | grep -E 'cpu|cores')"}},
		explains: []incident.Kind{incident.Stolen, incident.CPUStall, incident.NotScheduled, incident.HungTask, incident.SlowSync, incident.ClockUnstable},
	}}
}}
