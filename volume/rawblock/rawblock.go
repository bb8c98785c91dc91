package rawblock

import "assay/volume/guard"

// Kind is the volume's name in receipts and suites.
const Kind = "rawblock"

// New returns the volume.
func New() guard.Volume { return guard.New(Kind) }
