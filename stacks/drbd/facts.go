package drbd

import "assay"

// Describe adds the replication of one of a host's devices to its facts, and that the host
// uses such storage. If its devices have different protocols, the latter names none: a rule
// would compare the figures of one device with the protocol of another.
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
