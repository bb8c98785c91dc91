package drbd

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"path"
	"slices"
	"strings"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a replicated device, measured as root on one of its hosts.
func Describe() volume.Kind {
	return volume.Kind{
		Word: Kind, Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a replicated device as a tier configures it.
type Storage struct {
	Replicas    map[string]string `yaml:"replicas"` // addresses, by host
	VolumeGroup yamldoc.Label     `yaml:"volume_group"`
	Dataset     yamldoc.Label     `yaml:"dataset"`
	Directory   yamldoc.Path      `yaml:"directory"`
	Protocol    yamldoc.Label     `yaml:"protocol"`
	Alone       bool              `yaml:"alone"`
}

// How many replicas a resource may have.
const (
	fewestReplicas = 2
	mostReplicas   = 8 // as many as DRBD 9 has peers for
)

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	if n := len(s.Replicas); n < fewestReplicas || n > mostReplicas {
		return fmt.Errorf("replicas: has %d hosts; give %d to %d, each with its address", n, fewestReplicas, mostReplicas)
	}
	taken := map[netip.Addr]string{}
	for _, host := range s.Hosts() {
		address, err := netip.ParseAddr(s.Replicas[host])
		switch {
		case err != nil || address.Zone() != "" || address.IsUnspecified():
			return fmt.Errorf("replicas: %q of %s is not an IP address", yamldoc.Clip(s.Replicas[host]), yamldoc.Clip(host))
		case taken[address] != "":
			return fmt.Errorf("replicas: %s and %s have one address", taken[address], host)
		}
		taken[address] = host
	}
	kind, of := s.under()
	if kind == "" {
		return errors.New("one of volume_group, dataset and directory says where the replicas are made")
	}
	if err := backings[kind].check(of); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return check(s.set())
}

// under returns the kind of backing and its name, or "" unless exactly one is
// set.
func (s *Storage) under() (kind, of string) {
	for k, name := range map[string]string{backVolumeGroup: string(s.VolumeGroup), backDataset: string(s.Dataset), backDirectory: string(s.Directory)} {
		switch {
		case name == "":
		case kind != "":
			return "", ""
		default:
			kind, of = k, name
		}
	}
	if kind == backDirectory {
		of = path.Clean(of)
	}
	return kind, of
}

// set returns the tier's settings as a way.
func (s *Storage) set() assay.Way {
	way := assay.Way{}
	if s.Protocol != "" {
		way[WayProtocol] = string(s.Protocol)
	}
	if s.Alone {
		way[WayAlone] = yes
	}
	return way
}

// Hosts implements volume.Spread.
func (s *Storage) Hosts() []string { return slices.Sorted(maps.Keys(s.Replicas)) }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	all := map[string]string{}
	maps.Copy(all, s.set())
	if kind, of := s.under(); kind != "" {
		all[strings.ReplaceAll(kind, "_", " ")] = of
	}
	all["replicas"] = strings.Join(s.Hosts(), ", ")
	return all
}

// Path implements volume.Located: tiers that differ in a setting have different paths.
// Without peers, the protocol is left out.
func (s *Storage) Path() string {
	_, of := s.under()
	set := s.set()
	if s.Alone {
		delete(set, WayProtocol)
	}
	words := append([]string{"drbd", strings.Join(s.Hosts(), "+"), "on", of}, set.Words()...)
	return strings.Join(words, " ")
}

// alone returns a copy of the storage without its peers.
func (s *Storage) alone() *Storage {
	one := *s
	one.Alone = true
	return &one
}

// Keys of a subject's Params. addressPrefix is followed by a host, setPrefix by a
// setting's name.
const (
	paramKind     = "under"
	paramOf       = "of"
	addressPrefix = "address."
	setPrefix     = "set."
)

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	if _, has := s.Replicas[c.Host]; !has {
		return assay.Subject{}, assay.WithHint("name it under replicas, with its address", "host %s is to measure it and has no replica", c.Host)
	}
	kind, of := s.under()
	params := map[string]string{paramKind: kind, paramOf: of}
	for host, address := range s.Replicas {
		params[addressPrefix+host] = address
	}
	for name, value := range s.set() {
		params[setPrefix+name] = value
	}
	subject := assay.Subject{Kind: assay.KindBlock, Name: s.Path(), Params: params}
	if !s.Alone {
		subject.On = []string{c.Host + "/" + string(assay.KindBlock) + "/" + s.alone().Path()}
	}
	return subject, nil
}

// Check implements volume.Checker.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	kind, of := s.under()
	return volume.Checkup{Unasked: []string{
		fmt.Sprintf("DRBD, room in %s %s, a free minor and a free port on %s", strings.ReplaceAll(kind, "_", " "), of, strings.Join(s.Hosts(), ", ")),
		"that they reach each other on " + strings.Join(slices.Sorted(maps.Values(s.Replicas)), ", "),
	}}
}
