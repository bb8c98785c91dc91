package rawblock

import (
	"context"
	_ "embed" // the schema
	"errors"

	"assay"
	"assay/internal/yamldoc"
	"assay/stacks/kube"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a block device of a node, whose contents the run
// destroys.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "device", Schema: schema,
		Where:  volume.Where{Pods: true, Node: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a device as a tier configures it.
type Storage struct {
	Path      yamldoc.DevicePath `yaml:"path"` // best a link in /dev/disk/by-id
	Serial    yamldoc.Label      `yaml:"serial"`
	Backing   yamldoc.Path       `yaml:"backing"`   // the file under a loop device, which has no serial
	Overwrite yamldoc.Label      `yaml:"overwrite"` // the serial, or the file, again: what is on it may be lost
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	switch {
	case s.Path == "":
		return errors.New("path: missing")
	case (s.Serial == "") == (s.Backing == ""):
		return errors.New("a run destroys all data on it: also give serial: as printed by lsblk -o NAME,SERIAL (for a loop device backing:, its file)")
	case s.Overwrite != "" && string(s.Overwrite) != string(s.Serial)+string(s.Backing):
		return errors.New("overwrite: must repeat the serial (or the backing file)")
	}
	return nil
}

func (s *Storage) options(node string) Options {
	return Options{Node: node, Device: string(s.Path), Serial: string(s.Serial), Backing: string(s.Backing), Overwrite: string(s.Overwrite)}
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"device": string(s.Path), "serial": string(s.Serial)}
}

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	identity, err := s.options(c.Node).Identity()
	return assay.Subject{Kind: assay.KindBlock, Params: identity.Params(), Turns: true}, err
}

// Attach implements kube.Attacher.
func (s *Storage) Attach(name, node string) (kube.Attachment, error) {
	return Attach(s.options(node), name)
}

// Check implements volume.Checker: only a pod sees what its node has.
func (s *Storage) Check(context.Context, volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{string(s.Path)}}
}
