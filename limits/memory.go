package limits

import (
	"fmt"

	"assay"
	"assay/internal/quantity"
)

// Memory returns the combined bandwidth of the modules: 64 data bits per
// channel and transfer (JEDEC DDR4, DDR5), at the speed of the slowest.
func Memory(m assay.MemoryFacts) Limit {
	mts := 0
	for _, d := range m.DIMMs {
		if d.MTs > 0 && (mts == 0 || d.MTs < mts) {
			mts = d.MTs
		}
	}
	if m.Channels <= 0 || mts == 0 {
		return missing("configured speed and channels of the memory modules", "run dmidecode -t memory as root")
	}
	return Limit{
		Name: "memory modules", Value: float64(m.Channels) * 8 * float64(mts) * 1e6, Unit: assay.BytesPerSecond,
		Sum: fmt.Sprintf("%d channels x 8 B x %s MT/s", m.Channels, quantity.Full(float64(mts), 0)),
	}
}
