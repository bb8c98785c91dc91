package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"assay"
	"assay/inventory"
	"assay/inventory/beneath"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/place/guest"
	"assay/place/ssh"
	"assay/run/clones"
	volumeall "assay/volume/all"
)

// ReadCluster reads a cluster.yaml. The error is an InputError.
func ReadCluster(file string) (cluster.Cluster, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return cluster.Cluster{}, invalid(assay.WithHint("create one: assay init HOST... -o "+file, "%s: no such file", file))
	}
	if err != nil {
		return cluster.Cluster{}, invalid(err)
	}
	return ParseCluster(file, text)
}

// ParseCluster parses the text of a cluster.yaml, with tiers of all kinds of
// storage. name is used in errors. The error is an InputError.
func ParseCluster(name string, text []byte) (cluster.Cluster, error) {
	c, err := cluster.Read(name, text, volumeall.Kinds()...)
	if err != nil {
		return c, invalid(err)
	}
	return c, nil
}

// ClusterSchema returns the JSON Schema of a cluster.yaml.
func ClusterSchema() []byte { return cluster.Schema(volumeall.Kinds()...) }

// reachCluster opens the hosts named in a cluster.yaml.
func (s *Session) reachCluster() error {
	if err := s.options.checkCluster(); err != nil {
		return err
	}
	c, err := ReadCluster(s.options.Cluster)
	if err != nil {
		return err
	}
	c, ids := clones.Named(c)
	hosts, err := c.Choose(s.options.Only)
	if err != nil {
		return invalid(err)
	}
	if s.options.Standing {
		hosts, _ = cluster.Standing(hosts)
	}
	if len(hosts) == 0 {
		return invalid(assay.WithHint("measure tiers with --suite tiers, or name hosts", "%s has no hosts", c.File))
	}
	var named map[string][]assay.Subject
	switch {
	case s.stops():
		if hosts, named = stopping(c, hosts); len(named) == 0 {
			return invalid(assay.WithHint("list it under failover:, and choose its host with --host, or nothing",
				"%s names nothing that may be stopped", c.File))
		}
	case s.moves():
		if hosts, named = moving(c, hosts); len(named) == 0 {
			return invalid(assay.WithHint("write migrate: {to: HOST} at a VM under vms:, and choose it with --host, or nothing",
				"%s names no guest that may be migrated", c.File))
		}
	}
	for _, h := range hosts {
		at, err := placeOf(c, h, s.id)
		if err != nil {
			return err
		}
		s.hosts = append(s.hosts, inventory.Asked{Place: at, Dirs: h.Measure.Directories, Devices: h.Measure.Devices, Blocks: blocksOf(h), Named: named[h.Name], Beneath: beneathOf(c, h, s.id)})
	}
	s.resources = resourcesOf(c)
	if s.networks, err = s.options.chosenNetworks(c); err != nil {
		return err
	}
	return s.openClones(c, ids)
}

// chosenNetworks returns the cluster's networks that the target chooses.
func (t Target) chosenNetworks(c cluster.Cluster) ([]assay.Network, error) {
	all := networksOf(c)
	if len(t.Networks) == 0 {
		return all, nil
	}
	var names []string
	for _, n := range all {
		names = append(names, n.Name)
	}
	for _, name := range t.Networks {
		if slices.Contains(names, name) {
			continue
		}
		hint := "its networks: " + list(names)
		if len(names) == 0 {
			hint = "write some under networks:"
		}
		return nil, invalid(assay.WithHint(hint, "%s has no network %q", c.File, name))
	}
	return slices.DeleteFunc(all, func(n assay.Network) bool { return !slices.Contains(t.Networks, n.Name) }), nil
}

// placeOf returns the place of a cluster's host. Its commands carry mark.
func placeOf(c cluster.Cluster, h cluster.Host, mark string) (assay.Place, error) {
	if agent, reached := h.Agent(); reached {
		through, err := placeOf(c, *c.Host(h.Guest.On), mark)
		if err != nil {
			return nil, err
		}
		host, options := assay.Host{Name: h.Name, Labels: h.Labels}, guest.Options{Hypervisor: through, Agent: agent, Mark: mark}
		if h.Windows() {
			return placeall.Windows(host, options), nil
		}
		return placeall.Guest(host, options), nil
	}
	home, err := os.UserHomeDir()
	if err != nil && h.SSH.Config != "" {
		return nil, invalidf("%s: %w", c.File, err)
	}
	return placeall.Remote(assay.Host{Name: h.Name, Labels: h.Labels}, ssh.Options{
		Address: h.Address, User: h.User, Port: h.Port, Sudo: h.Sudo, ConfigFile: c.ConfigFile(h, home), Mark: mark,
	}), nil
}

// beneathOf returns a function that asks the hypervisor about a guest, nil for
// other hosts.
func beneathOf(c cluster.Cluster, h cluster.Host, mark string) func(context.Context) (assay.GuestFacts, error) {
	if _, reached := h.Agent(); !reached {
		return nil
	}
	return func(ctx context.Context) (assay.GuestFacts, error) {
		at, err := placeOf(c, *c.Host(h.Guest.On), mark)
		if err != nil {
			return assay.GuestFacts{}, err
		}
		defer at.Close()
		f, err := beneath.Ask(ctx, at, h.Guest.Kind, h.Guest.Name)
		if h.Made() {
			f.Template = h.Guest.Clone.Source()
		}
		return f, err
	}
}

// networksOf returns a cluster's networks in the inventory's form.
func networksOf(c cluster.Cluster) []assay.Network {
	var all []assay.Network
	for _, n := range c.Networks {
		out := assay.Network{Name: n.Name, Rate: n.Rate, MTU: n.MTU, Direct: n.Kind != cluster.Switch, Addresses: map[string]string{}}
		for _, end := range n.Hosts {
			out.Addresses[end.Host] = end.Address.String()
		}
		all = append(all, out)
	}
	return all
}

// resourcesOf returns what a cluster's hosts share, in the inventory's form: a
// hypervisor is shared by all guests on it.
func resourcesOf(c cluster.Cluster) []assay.Resource {
	var all []assay.Resource
	for _, r := range c.Resources {
		all = append(all, assay.Resource(r))
	}
	at := map[string]int{}
	for _, h := range c.Hosts {
		if h.Guest == nil {
			continue
		}
		i, known := at[h.Guest.On]
		if !known {
			i = len(all)
			at[h.Guest.On] = i
			all = append(all, assay.Resource{Name: "hypervisor " + h.Guest.On, Hosts: []string{h.Guest.On}})
		}
		all[i].Hosts = append(all[i].Hosts, h.Name)
	}
	return all
}
