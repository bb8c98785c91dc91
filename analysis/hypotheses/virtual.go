package hypotheses

// virtual is a container or virtual machine among bare-metal hosts.
var virtual = Hypothesis{
	ID: "virtual", Layer: "system", Name: "virtualisation", Usual: 20, Slower: true,
	Slows:   slows(.25, cpu...).and(.2, memory...).and(.5, storage...).and(.45, rates...).and(.5, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: hasSetting("virtualisation", not("bare metal")), If: .97, Else: .01, Says: "it is {own}, they are {theirs}"}},
	Decides: "run the test on its hypervisor",
	Remedy:  "Compare {host} only with other guests; give it virtio drives and dedicated cores",
}
