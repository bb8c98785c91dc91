package hypotheses

// cpuThrottles is a CPU that is too hot to run at its clock.
var cpuThrottles = Hypothesis{
	ID: "cpu-throttles", Layer: "cpu", Name: "thermal throttling", Usual: 6,
	Slows: slows(.85, AllThreads).and(.4, OneThread, Warmth).and(.2, RandomReads).and(.2, rates...),
	Clues: []Clue{
		{Ask: counts(func(c Counted) float64 { return c.Throttles }, 1, integer), If: .9, Else: .003, Proves: true, Says: "its CPU throttled {own} times per repeat, theirs {theirs}"},
	},
	Decides: "grep . /sys/devices/system/cpu/cpu0/thermal_throttle/* on that host, before and after load",
	Remedy:  "Clean the fan and heatsink of {host}, and renew the thermal paste",
}
