package vmdisk

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"strings"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a disk attached to a guest, which measures it.
func Describe() volume.Kind {
	return volume.Kind{
		Word: Kind, Schema: schema,
		Where:  volume.Where{Hosts: true, Made: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a storage of the hypervisor as a tier names it, and how the disk is attached.
type Storage struct {
	Storage  yamldoc.Label `yaml:"storage"`
	Bus      yamldoc.Label `yaml:"bus"`
	Cache    yamldoc.Label `yaml:"cache"`
	AIO      yamldoc.Label `yaml:"aio"`
	IOThread yamldoc.Label `yaml:"iothread"`
	// FileSystem is made on the disk in the guest; "" for none.
	FileSystem yamldoc.Label `yaml:"filesystem"`
}

// set returns the tier's settings as a way.
func (s *Storage) set() assay.Way {
	way := assay.Way{}
	for name, value := range map[string]yamldoc.Label{WayBus: s.Bus, WayCache: s.Cache, WayAIO: s.AIO, WayIOThread: s.IOThread} {
		if value != "" {
			way[name] = string(value)
		}
	}
	return way
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	switch {
	case s.Storage == "":
		return errors.New("storage: missing; virsh pool-list or pvesm status list those of the hypervisor")
	case !storageName.MatchString(string(s.Storage)):
		return fmt.Errorf("storage: %q cannot be the name of a storage", yamldoc.Clip(string(s.Storage)))
	}
	return errors.Join(check(s.set()), checkFileSystem(string(s.FileSystem)))
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	all := map[string]string{"storage": string(s.Storage)}
	if s.FileSystem != "" {
		all[paramFileSystem] = string(s.FileSystem)
	}
	for name, value := range s.set() {
		all[name] = value
	}
	return all
}

// Keys of a subject's Params; those of the way start with setPrefix.
const (
	paramOn      = "on"
	paramKind    = "hypervisor"
	paramGuest   = "guest"
	paramStorage = "storage"
	setPrefix    = "set."

	paramFileSystem = "filesystem"
)

// Path implements volume.Located: tiers that differ in a setting have different
// paths.
func (s *Storage) Path() string {
	words := append([]string{string(s.Storage)}, s.set().Words()...)
	if s.FileSystem != "" {
		words = append(words, string(s.FileSystem))
	}
	return strings.Join(words, " ")
}

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	if c.Guest.Name == "" {
		return assay.Subject{}, assay.WithHint("name the VM under vms: with proxmox: or libvirt:, and the tier's host: after it",
			"host %s is no VM that a hypervisor can attach a disk to", c.Host)
	}
	params := map[string]string{paramOn: c.Guest.On, paramKind: c.Guest.Kind, paramGuest: c.Guest.Name, paramStorage: string(s.Storage)}
	for name, value := range s.set() {
		params[setPrefix+name] = value
	}
	kind := assay.KindBlock
	if s.FileSystem != "" {
		kind, params[paramFileSystem] = assay.KindDirectory, string(s.FileSystem)
	}
	return assay.Subject{Kind: kind, Name: s.Path(), Params: params}, nil
}

// Check implements volume.Checker.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{
		fmt.Sprintf("storage %s, its free space, and a free slot for a disk in %s, asked from the hypervisor", s.Storage, strings.Join(c.Hosts, ", ")),
	}}
}
