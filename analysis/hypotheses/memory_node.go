package hypotheses

// memoryNode is memory on the other socket.
var memoryNode = Hypothesis{
	ID: "memory-node", Layer: "memory", Name: "memory on another NUMA node", Usual: 4,
	Slows: slows(.8, memory...).and(sometimes, AllThreads),
	Clues: []Clue{{Ask: func(s *Suspect) Answer {
		if s.own().CPU.Sockets == 0 {
			return Answer{}
		}
		return Answer{Is: is(s.own().CPU.Sockets > 1)}
	}, If: .95, Else: .3}},
	Decides: "numactl -N 0 -m 0 sysbench memory run on that host",
	Remedy:  "Bind what runs on {host} to one node: numactl -N 0 -m 0",
}
