package main

import (
	"fmt"
	"os"
	"slices"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	placeall "assay/place/all"
	"assay/place/ssh"
)

// openCluster reaches the hosts that a file names.
func (s *session) openCluster(w *where) error {
	if w.record != "" || w.replay != "" {
		return usage(fmt.Errorf("-i %s: --record and --replay are for one machine", w.cluster))
	}
	if !slices.Equal(w.dirs, []string{"."}) {
		return usage(assay.WithHint("write the directories under measure: in "+w.cluster, "-i %s and --dir exclude each other", w.cluster))
	}
	c, err := readCluster(w.cluster)
	if err != nil {
		return err
	}
	hosts, err := c.Choose(w.only)
	if err != nil {
		return usage(err)
	}
	if len(hosts) == 0 {
		return usage(assay.WithHint("measure them with --suite tiers", "%s names tiers and no hosts", w.cluster))
	}
	for _, h := range hosts {
		at, err := placeOf(c, h, s.runID)
		if err != nil {
			return err
		}
		s.hosts = append(s.hosts, inventory.Asked{Place: at, Dirs: h.Measure.Directories, Devices: h.Measure.Devices})
	}
	s.networks, s.resources = networksOf(c), resourcesOf(c)
	return nil
}

// placeOf is the way to a host of a cluster. Its commands carry mark.
func placeOf(c cluster.Cluster, h cluster.Host, mark string) (assay.Place, error) {
	home, err := os.UserHomeDir()
	if err != nil && h.SSH.Config != "" {
		return nil, usage(fmt.Errorf("%s: %w", c.File, err))
	}
	return placeall.Remote(assay.Host{Name: h.Name, Labels: h.Labels}, ssh.Options{
		Address: h.Address, User: h.User, Port: h.Port, Sudo: h.Sudo, ConfigFile: c.ConfigFile(h, home), Mark: mark,
	}), nil
}

// networksOf are a cluster's networks as the inventory has them.
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

// resourcesOf are what a cluster's hosts share, as the inventory has it.
func resourcesOf(c cluster.Cluster) []assay.Resource {
	var all []assay.Resource
	for _, r := range c.Resources {
		all = append(all, assay.Resource(r))
	}
	return all
}
