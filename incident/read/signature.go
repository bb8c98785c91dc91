package read

import (
	"slices"
	"strings"

	"assay/incident"
	"assay/internal/needles"
)

// signature is what a line must contain to be an event of a kind.
type signature struct {
	has    string // the needle
	kind   incident.Kind
	device func(text string) string // nil: blockDevice
	and    string                   // must be there as well
	or     []string                 // one of these must be there as well
	not    []string                 // none of these may be there
}

// fits reports whether a line in which has was found is of the kind.
func (s signature) fits(text string) bool {
	if s.and != "" && !strings.Contains(text, s.and) {
		return false
	}
	within := func(part string) bool { return strings.Contains(text, part) }
	return (len(s.or) == 0 || slices.ContainsFunc(s.or, within)) && !slices.ContainsFunc(s.not, within)
}

// where returns what the line is about.
func (s signature) where(text string) string {
	if s.device == nil {
		return blockDevice(text)
	}
	return s.device(text)
}

// fact is a line that tells what a device is, or of what the next lines are.
type fact struct {
	has  string
	note func(r *Reader, text string, line int)
}

// signatures are all, by part of the machine. The first that fits a line wins.
func signatures() []signature {
	return slices.Concat(
		moduleSignatures, cardSignatures, supplySignatures, cacheSignatures, modes, processorSignatures, busSignatures, laterSignatures, noMemorySignatures, otherSignatures, activationSignatures,
		answerSignatures, storageClients, refusedSignatures, refusedKubernetes(), refusedStorage(), refusedDaemon(), refusedGuest(), oopsSignatures, controllerSignatures, nvmeSignatures, ataSignatures, usbSignatures, sessionSignatures, engineSignatures, layeredSignatures, volumeSignatures,
		powerSignatures, heatSignatures, memorySignatures, guestSignatures, clockSignatures, podSignatures, checkSignatures, fileSystemSignatures, scsiSignatures,
		pciSignatures, reachSignatures(), networkSignatures, hostSignatures, longhornSignatures, bootSignatures, oldSignatures, serviceSignatures,
		actSignatures(), engineErrors(), hypervisorSignatures(),
		cephSignatures(), poolSignatures(), toolSignatures(), managerSignatures(), kubeletSignatures(), databaseSignatures())
}

// index finds the signatures and facts of a line in one pass.
type index struct {
	all   []signature
	facts []fact
	set   *needles.Set
}

func newIndex() *index {
	x := &index{all: signatures(), facts: slices.Concat(facts(), countedFacts())}
	var words []string
	for _, s := range x.all {
		words = append(words, s.has)
	}
	for _, f := range x.facts {
		words = append(words, f.has)
	}
	x.set = needles.New(words)
	return x
}
