package tiers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/inventory/cluster"
	"assay/kube"
	placekube "assay/place/kube"
	"assay/volume/bucket"
	"assay/volume/dir"
	"assay/volume/ephemeral"
	"assay/volume/hostpath"
	"assay/volume/pvc"
	"assay/volume/rawblock"
)

// station is one client of one tier: a host, and what of it is measured.
type station struct {
	tier   cluster.Tier
	host   assay.Host
	volume string // the kind that lends scratch space there
	source string // what it must know of what it lends on, as a subject's Source
	node   string // of a pod; "" where the scheduler chooses
	pod    *placekube.Place
	// attached is what a pod is made with; its zero value is a pod without storage.
	attached kube.Attachment
	security kube.Security // the least level that allows the pod
	store    *assay.ObjectStore
}

// path is the directory or device that is measured; "" for an object store.
func (s *station) path() string {
	if s.tier.Directory != "" {
		return s.tier.Directory
	}
	return s.attached.Path
}

// isBlock says whether path is a device.
func (s *station) isBlock() bool { return s.attached.Device != nil || s.attached.Privileged }

// class is the storage class that is asked for by name.
func (s *station) class() string {
	switch {
	case s.tier.PVC != nil:
		return s.tier.PVC.Class
	case s.tier.Ephemeral != nil:
		return s.tier.Ephemeral.Class
	}
	return ""
}

// secrets are those of Kubernetes that the store's keys come from, as
// NAMESPACE/NAME.
func (s *station) secrets() []string {
	if s.store == nil {
		return nil
	}
	return secretsOf(*s.store)
}

func secretsOf(store assay.ObjectStore) []string {
	refs := []string{store.Credentials}
	if store.Garage != nil {
		refs = append(refs, store.Garage.Token)
	}
	var found []string
	for _, ref := range refs {
		if name, is := strings.CutPrefix(ref, "secret "); is {
			found = append(found, name)
		}
	}
	return found
}

// stationsOf gives the clients of a tier, in the order of the file. here is the
// name of this machine.
func (o Options) stationsOf(t cluster.Tier, here string) ([]*station, error) {
	one := station{tier: t}
	if t.S3 != nil {
		var err error
		if one.store, err = o.objectStore(t); err != nil {
			return nil, fmt.Errorf("%s: tier %s: %w", o.Cluster.File, t.Name, err)
		}
	}
	var all []*station
	add := func(name, node string, labels map[string]string) {
		s := one
		s.node, s.host = node, assay.Host{Name: name, Labels: labels}
		all = append(all, &s)
	}
	for _, name := range t.Hosts {
		add(name, "", o.Cluster.Host(name).Labels)
	}
	for _, node := range t.Nodes {
		name := t.Name
		if len(t.Nodes) > 1 {
			name += "@" + node
		}
		add(name, node, nil)
	}
	switch {
	case len(all) > 0:
	case t.S3 != nil:
		add(here, "", nil)
	default:
		add(t.Name, "", nil)
	}
	for _, s := range all {
		if err := s.attach(); err != nil {
			return nil, fmt.Errorf("%s: tier %s: %w", o.Cluster.File, t.Name, err)
		}
	}
	return all, nil
}

// leastClaim is the file that a claim without a size must hold, in bytes: twice
// that of the suite.
const leastClaim = 512 << 20

// attach gives a station the kind of volume that lends there, and what its pod is
// made with.
func (s *station) attach() (err error) {
	name := kube.ObjectName(s.host.Name, 50)
	switch t := s.tier; {
	case t.Directory != "":
		s.volume = dir.Kind
	case t.S3 != nil:
		s.volume = bucket.Kind
	case t.HostPath != "":
		s.volume = hostpath.Kind
		s.attached, err = hostpath.Attach(hostpath.Options{Path: t.HostPath}, name)
	case t.PVC != nil:
		o := pvc.Options{Class: t.PVC.Class, Size: t.PVC.Size, Access: t.PVC.Access, Mode: t.PVC.Mode}
		if o.Size == "" {
			o.Size = strconv.FormatInt(pvc.Size(leastClaim), 10)
		}
		s.volume, s.source = pvc.Kind, o.Source()
		s.attached, err = pvc.Attach(o, name)
	case t.Ephemeral != nil:
		o := ephemeral.Options{Class: t.Ephemeral.Class, Size: t.Ephemeral.Size}
		s.volume, s.source = ephemeral.Kind, o.Source()
		s.attached, err = ephemeral.Attach(o, name)
	case t.Device != nil:
		o := rawblock.Options{Node: s.node, Device: t.Device.Path, Serial: t.Device.Serial, Backing: t.Device.Backing, Overwrite: t.Device.Overwrite}
		var identity rawblock.Identity
		if identity, err = o.Identity(); err == nil {
			s.volume, s.source = rawblock.Kind, identity.String()
			s.attached, err = rawblock.Attach(o, name)
		}
	}
	return err
}

// objectStore is a tier's store as the inventory has it.
func (o Options) objectStore(t cluster.Tier) (*assay.ObjectStore, error) {
	s := t.S3
	store := &assay.ObjectStore{
		Name: t.Name, Endpoints: s.Endpoints, Region: s.Region, VirtualHost: s.VirtualHost, Credentials: s.Credentials,
	}
	if s.CA != "" {
		file, err := o.file(s.CA)
		if err != nil {
			return nil, err
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
		store.CA = string(pem)
	}
	if s.Garage != nil {
		store.Garage = &assay.GarageAdmin{Address: s.Garage.Admin, Token: s.Garage.Token}
		if name, is := strings.CutPrefix(s.Garage.Token, "file "); is {
			file, err := o.file(name)
			if err != nil {
				return nil, err
			}
			store.Garage.Token = "file " + file
		}
	}
	if len(secretsOf(*store)) == 0 {
		return store, nil
	}
	access, err := o.access()
	if err != nil {
		return nil, err
	}
	c, err := kube.Connect(access)
	if err != nil {
		return nil, err
	}
	// It goes into receipts: what is current now need not be when they are released.
	access = c.Access()
	store.Kubernetes = &access
	return store, nil
}

// access is the way to the Kubernetes that the file names, or that kubectl uses.
func (o Options) access() (assay.KubernetesAccess, error) {
	k := o.Cluster.Kubernetes
	if k == nil {
		return assay.KubernetesAccess{}, nil
	}
	a := assay.KubernetesAccess{Context: k.Context}
	if k.Kubeconfig == "" {
		return a, nil
	}
	file, err := o.file(k.Kubeconfig)
	a.Kubeconfig = file
	return a, err
}

// file is where a file is that the cluster.yaml names, as an absolute path.
func (o Options) file(name string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil && strings.HasPrefix(name, "~/") {
		return "", err
	}
	return filepath.Abs(o.Cluster.Path(name, home))
}

// pods are the stations that are pods.
func (s *Stage) pods() []*station {
	return slices.DeleteFunc(slices.Clone(s.stations), func(one *station) bool { return !one.inPod() })
}

// inPod says whether the client of a tier is a pod.
func (s *station) inPod() bool { return s.tier.InPods() }
