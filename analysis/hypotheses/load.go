package hypotheses

// Load is a kind of figure, by what it tests.
type Load string

// The loads. A path has a sender and a receiver; for a host, the loads describe what
// it does in either role.
const (
	OneThread      Load = "CPU, one thread"
	AllThreads     Load = "CPU, all threads"
	Warmth         Load = "heat under load"
	MemoryReads    Load = "memory reads"
	MemoryWrites   Load = "memory writes"
	RandomReads    Load = "random reads"
	LargeReads     Load = "large reads"
	DeviceReads    Load = "reads of the device"
	RandomWrites   Load = "random writes"
	LargeWrites    Load = "large writes"
	SyncWrites     Load = "synchronous writes"
	Sends          Load = "sending"
	Receives       Load = "receiving"
	RoundTrips     Load = "round trips"
	LosesSent      Load = "loss of outgoing packets"
	LosesReceived  Load = "loss of incoming packets"
	EchoesLost     Load = "echoes lost"
	EchoesTwice    Load = "echoes answered twice"
	NarrowSent     Load = "size of outgoing packets"
	NarrowReceived Load = "size of incoming packets"
	ShortSent      Load = "size of outgoing TCP segments"
	ShortReceived  Load = "size of incoming TCP segments"
	Unsteady       Load = "spread of round trips"
	OnEveryNetwork Load = "every network" // slow on each of several, not on some
)

// Groups of loads that most faults treat alike.
var (
	reads   = []Load{RandomReads, LargeReads, DeviceReads}
	writes  = []Load{RandomWrites, LargeWrites, SyncWrites}
	storage = append(append([]Load{}, reads...), writes...)
	memory  = []Load{MemoryReads, MemoryWrites}
	cpu     = []Load{OneThread, AllThreads}
	rates   = []Load{Sends, Receives}
	losses  = []Load{LosesSent, LosesReceived}
	sizes   = []Load{NarrowSent, NarrowReceived}
	shorts  = []Load{ShortSent, ShortReceived}
)

// How likely a fault is to slow a figure enough to stand out. A fault hardly ever
// slows what it does not name.
const (
	always    = .97
	often     = .75
	sometimes = .35
	seldom    = .1
	never     = .005
)

// Slows maps a load to the probability that a fault slows it.
type Slows map[Load]float64

// slows returns Slows with probability p for each load.
func slows(p float64, loads ...Load) Slows { return Slows{}.and(p, loads...) }

// and adds loads with probability p.
func (s Slows) and(p float64, loads ...Load) Slows {
	for _, l := range loads {
		s[l] = p
	}
	return s
}

// of returns the probability that a load is slowed.
func (s Slows) of(l Load) float64 {
	if p, named := s[l]; named {
		return p
	}
	return never
}
