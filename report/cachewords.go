package report

import (
	"fmt"

	"assay/analysis"
	"assay/internal/quantity"
)

// cacheWords describes the effect of a drive's write cache.
func cacheWords(c analysis.CacheEffect) string {
	text := fmt.Sprintf("%s, synchronous writes with its write cache off: %s, with it on: %s", c.Drive, Number(c.Off), Number(c.On))
	switch c.Class {
	case analysis.FlushesReach:
		return text + fmt.Sprintf(". At %s each, flushes appear to reach the media.", quantity.Duration(1/c.On.Value))
	case analysis.FlushesFree:
		return text + ". The cache makes no difference, which is typical of drives with power-loss protection."
	case analysis.FlushesCost:
		return text + fmt.Sprintf(". Writes are %s times as fast with it off: for databases and Ceph, turn it off (hdparm -W 0, or nvme set-feature --feature-id=6 --value=0).", quantity.Two(c.Off.Value/c.On.Value))
	case analysis.FlushesEnd:
		text += fmt.Sprintf(", %s times as fast, so flushes end in the cache", quantity.Two(c.On.Value/c.Off.Value))
		if c.Protected {
			return text + ", which the drive protects against power loss."
		}
		return text + ". Unless the data sheet promises power-loss protection, a power cut loses acknowledged writes: turn the cache off."
	case analysis.CacheOfGuest:
		return text + ". This is the hypervisor's cache; the physical drive may have its own."
	case analysis.CacheWasOff:
		return fmt.Sprintf("%s, synchronous writes: %s with its write cache off, as it was before the run (%s then).", c.Drive, Number(c.Off), Number(c.On))
	}
	return text + "."
}
