package virsh

import (
	"assay"
	"assay/stacks/migration"
	"assay/stacks/migration/trial"
)

const name = "virsh"

// Tool is the probe, which is also a reader.
type Tool interface {
	assay.Probe
	assay.Measurer
}

type reader struct{ trial.Probe }

var (
	_ assay.Measurer       = reader{}
	_ assay.RepeatPreparer = reader{}
	_ assay.Noter          = reader{}
)

// New returns the probe, which is also a reader.
func New() Tool { return reader{trial.Probe{Name: name, Kind: migration.Libvirt}} }

// Spec describes the probe. It names no tool: few hosts are hypervisors, and before a
// guest is moved, its volume checks virsh and reports what is missing.
func (reader) Spec() assay.Spec {
	return assay.Spec{Name: name, Metrics: append(trial.Metrics(), "migration.dirty_rate", "migration.zero")}
}
