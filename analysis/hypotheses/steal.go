package hypotheses

// steal is CPU time that the hypervisor gave to others.
var steal = Hypothesis{
	ID: "steal", Layer: "cpu", Name: "CPU time stolen by other guests", Usual: 4,
	Slows: slows(.7, cpu...).and(.4, memory...).and(.4, RandomReads, RandomWrites, DeviceReads).and(.3, SyncWrites, LargeReads, LargeWrites).
		and(.4, rates...).and(.4, RoundTrips, Unsteady, OnEveryNetwork),
	Clues:   []Clue{{Ask: counts(func(c Counted) float64 { return c.Steal }, .02, percent), If: .95, Else: .002, Proves: true, Says: "{own} of its CPU time was stolen, theirs {theirs}"}, gotLess.silent(), worksAll},
	Decides: "vmstat 1 on that host: the column st",
	Remedy:  "Give the guest {host} dedicated cores, or move its neighbours",
}
