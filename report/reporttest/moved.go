package reporttest

import (
	"time"

	"assay"
)

// Moved returns a run that migrated a guest once, with what each observer saw: the guest stood
// still for 80 ms, and the network took another 120 ms to find it.
func Moved() assay.Run {
	const off = .002
	moments := []assay.Moment{
		{What: assay.Migrating, At: 1}, {What: assay.LastAnswer, By: "kvm1", How: "UDP", At: 2.2, Error: off}, {What: assay.WriteBegan, At: 2.21, Error: off},
		{What: assay.Written, At: 2.32, Error: off}, {What: assay.LastAnswer, By: "kvm1", How: "TCP", At: 2.2, Error: off},
		{What: assay.Answer, By: "kvm1", How: "UDP", At: 2.4, Error: off}, {What: assay.Answer, By: "kvm1", How: "TCP", At: 2.6, Error: off},
		{What: assay.Migrated, At: 2.45},
	}
	rep := assay.Repeat{N: 1, Outcome: assay.Done, Elapsed: 6 * time.Second}
	for metric, s := range map[string]float64{
		"migration.duration": 1.45, "migration.downtime": .077, "migration.downtime.seen": .202, "migration.downtime.seen.udp": .2,
		"migration.downtime.seen.tcp": .4, "migration.clock.stood": .08, "migration.io.longest": .11,
	} {
		rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: s, Unit: assay.Seconds, Labels: map[string]string{"tool": "virsh"}})
	}
	rep.Measurements = append(rep.Measurements, assay.Moments("virsh", moments)...)
	return assay.Run{
		ID: "r1", Suite: "migration", Status: assay.RunDone, Elapsed: time.Minute,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "kvm1"}, {Name: "kvm2"}}},
		Results: []assay.Result{{Trial: assay.Trial{
			ID: "virsh/migrate-back@kvm1/guest/web", Probe: "virsh", Case: "migrate-back", Title: "live migration back", Repeats: 1,
			Subject: assay.Subject{ID: "kvm1/guest/web", Kind: assay.KindGuest, Host: "kvm1", Name: "web"},
		}, Repeats: []assay.Repeat{rep}}},
	}
}
