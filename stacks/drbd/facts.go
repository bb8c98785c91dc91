package drbd

import "assay"

// Describe adds to the facts of a host how one of its devices is replicated, and that the host uses
// such storage. Where devices of it differ in their protocol, the latter tells none: a rule would
// hold the figures of one against the protocol of the other.
func Describe(f *assay.Facts, device string, stack assay.StackFacts) {
	i := -1
	for j := range f.Block {
		if f.Block[j].Name == device {
			i = j
		}
	}
	if i < 0 {
		i, f.Block = len(f.Block), append(f.Block, assay.BlockDevice{Name: device, Path: device, Kind: "other"})
	}
	own := stack
	f.Block[i].Stack = &own
	if was := f.Stack; was != nil && was.Kind == stack.Kind && was.Protocol != stack.Protocol {
		stack.Protocol = ""
	}
	f.Stack = &stack
}
