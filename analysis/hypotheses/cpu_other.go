package hypotheses

// cpuOther is a different CPU model.
var cpuOther = Hypothesis{
	ID: "cpu-other", Layer: "cpu", Name: "a CPU of another model", Usual: 30, Slower: true,
	Slows:   slows(.6, cpu...).and(.4, memory...).and(.5, Warmth).and(.2, RandomReads, SyncWrites).and(.15, rates...),
	Clues:   []Clue{{Ask: hasAnother("CPU"), If: .97, Else: .01, Says: "its CPU is a different model, {own}"}, gotAll, workLess.so(.6, .15)},
	Decides: "run the test on another host with that CPU",
	Remedy:  "Keep work that needs the others' CPU off {host}",
}
