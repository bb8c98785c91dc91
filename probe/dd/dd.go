package dd

import "assay"

// Values of the setting op.
const (
	opWrite    = "write"
	opReadCold = "read-cold"
	opReadWarm = "read-warm"
)

// auto is a file size that depends on the speed of the storage.
const auto = "auto"

// The steps of a transcript.
const (
	stepMeasure    = "measure"
	stepWarm       = "warm" // an uncounted read into the page cache
	stepSync       = "sync"
	stepDropCaches = "drop-caches"
	stepAdvise     = "fadvise"
	stepResident   = "resident"
	stepMemory     = "memory"
	stepSpeed      = "speed"
	stepSource     = "make-source"
	stepFile       = "make-file"
)

const mib = 1 << 20

// probe is stateless: everything it knows of a trial is in the trial.
type probe struct{}

// Interfaces that New's probe implements.
var (
	_ assay.Probe    = probe{}
	_ assay.Measurer = probe{}
	_ assay.Preparer = probe{}
)

// New returns the probe.
func New() assay.Probe { return probe{} }

// Spec describes the probe.
func (probe) Spec() assay.Spec {
	coreutils := map[string]string{
		"apt": "coreutils", "dnf": "coreutils", "pacman": "coreutils", "apk": "coreutils",
	}
	utilLinux := map[string]string{
		"apt": "util-linux", "dnf": "util-linux", "pacman": "util-linux", "apk": "util-linux-misc",
	}
	return assay.Spec{
		Name: "dd",
		Tools: []assay.Tool{
			{Name: "dd", Packages: coreutils},
			// It shows whether the page cache really dropped the file.
			{Name: "fincore", Optional: true, Packages: utilLinux},
		},
		Metrics: []string{
			"storage.write.bandwidth", "storage.read.bandwidth",
			"storage.write.bytes", "storage.read.bytes",
			"tool.duration",
		},
	}
}
