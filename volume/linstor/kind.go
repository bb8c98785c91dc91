package linstor

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a LINSTOR resource, measured on a node of its cluster.
func Describe() volume.Kind {
	return volume.Kind{
		Word: Kind, Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a LINSTOR resource as a tier configures it.
type Storage struct {
	ResourceGroup yamldoc.Label `yaml:"resource_group"`
	StoragePool   yamldoc.Label `yaml:"storage_pool"`
	Replicas      int           `yaml:"replicas"`
	Diskless      bool          `yaml:"diskless"`
	Controllers   yamldoc.Label `yaml:"controllers"`
}

const (
	usualReplicas = 2
	mostReplicas  = 8
)

// LINSTOR names must not look like options. Controllers are comma-separated addresses.
var (
	objectName  = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]{1,47}$`)
	controllers = lazyregexp.New(`^[A-Za-z0-9\[][A-Za-z0-9.:,\[\]_/+-]{0,199}$`)
)

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	switch {
	case (s.ResourceGroup == "") == (s.StoragePool == ""):
		return errors.New("one of resource_group and storage_pool says where it is placed")
	case s.ResourceGroup != "" && !objectName.MatchString(string(s.ResourceGroup)):
		return errors.New("resource_group: not the name of a resource group")
	case s.StoragePool != "" && !objectName.MatchString(string(s.StoragePool)):
		return errors.New("storage_pool: not the name of a storage pool")
	case s.ResourceGroup != "" && s.Replicas != 0:
		return errors.New("replicas: the resource group says how many there are; leave out one of the two")
	case s.Replicas < 0 || s.Replicas > mostReplicas:
		return fmt.Errorf("replicas: %d is not from 1 to %d", s.Replicas, mostReplicas)
	case s.Controllers != "" && !controllers.MatchString(string(s.Controllers)):
		return errors.New("controllers: not addresses with commas between them")
	}
	return nil
}

// replicas returns how many replicas a storage pool gets; 0 if a resource group
// decides.
func (s *Storage) replicas() int {
	if s.StoragePool == "" {
		return 0
	}
	if s.Replicas == 0 {
		return usualReplicas
	}
	return s.Replicas
}

// how returns how the resource is made, but for the node.
func (s *Storage) how() how {
	return how{Group: string(s.ResourceGroup), Pool: string(s.StoragePool), Replicas: s.replicas(), Diskless: s.Diskless, Controllers: string(s.Controllers)}
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	all := map[string]string{"resource group": string(s.ResourceGroup), "storage pool": string(s.StoragePool)}
	if n := s.replicas(); n > 0 {
		all["replicas"] = strconv.Itoa(n)
	}
	if s.Diskless {
		all["diskless"] = "yes"
	}
	return all
}

// Path implements volume.Located: tiers that differ in a setting have different
// paths.
func (s *Storage) Path() string {
	words := []string{"linstor", string(s.ResourceGroup) + string(s.StoragePool)}
	if n := s.replicas(); n > 0 {
		words = append(words, "x"+strconv.Itoa(n))
	}
	if s.Diskless {
		words = append(words, "diskless")
	}
	return strings.Join(words, " ")
}

// Keys of a subject's Params.
const (
	paramGroup       = "resource_group"
	paramPool        = "storage_pool"
	paramReplicas    = "replicas"
	paramDiskless    = "diskless"
	paramControllers = "controllers"
)

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	params := map[string]string{}
	for key, value := range map[string]string{paramGroup: string(s.ResourceGroup), paramPool: string(s.StoragePool), paramControllers: string(s.Controllers)} {
		if value != "" {
			params[key] = value
		}
	}
	if n := s.replicas(); n > 0 {
		params[paramReplicas] = strconv.Itoa(n)
	}
	if s.Diskless {
		params[paramDiskless] = "true"
	}
	subject := assay.Subject{Kind: assay.KindBlock, Name: s.Path(), Params: params}
	if s.replicas() > 1 && !s.Diskless {
		one := *s
		one.Replicas = 1
		subject.On = []string{c.Host + "/" + string(assay.KindBlock) + "/" + one.Path()}
	}
	return subject, nil
}

// Check implements volume.Checker.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{
		fmt.Sprintf("LINSTOR's controller and the free space of %s%s, asked from %s", s.ResourceGroup, s.StoragePool, strings.Join(c.Hosts, ", ")),
	}}
}
