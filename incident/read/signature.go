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
	and    string                   // must occur as well
	or     []string                 // one of these must occur as well
	not    []string                 // none of these may occur
}

// fits reports whether a line that contains has is of the kind.
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

// fact is a line that tells what a device is, or what the next lines are about. The
// needle may be in another field of a JSON entry, so note gets texts without it, and
// empty ones.
type fact struct {
	has  string
	note func(r *Reader, text string, line int)
}

// signatures returns all signatures, by part of the machine. The first that
// fits a line wins.
func signatures() []signature {
	return slices.Concat(
		moduleSignatures, cardSignatures, supplySignatures, cacheSignatures, modes, processorSignatures, busSignatures, laterSignatures, noMemorySignatures, otherSignatures, activationSignatures,
		answerSignatures, storageClients, refusedSignatures, refusedKubernetes(), refusedStorage(), refusedDaemon(), refusedGuest(), oopsSignatures, controllerSignatures, nvmeSignatures, ataSignatures, usbSignatures, sessionSignatures, engineSignatures, layeredSignatures, volumeSignatures,
		powerSignatures, heatSignatures, memorySignatures, guestSignatures, clockSignatures, podSignatures, checkSignatures, fileSystemSignatures, scsiSignatures,
		pciSignatures, reachSignatures(), networkSignatures, hostSignatures, longhornSignatures, bootSignatures, oldSignatures, serviceSignatures,
		actSignatures(), engineErrors(), hypervisorSignatures(),
		cephSignatures(), poolSignatures(), toolSignatures(), managerSignatures(), kubeletSignatures(), databaseSignatures())
}

// index finds all signatures and facts in a line in one pass.
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
