package tiers

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay"
	"assay/inventory/cluster"
	placekube "assay/place/kube"
	"assay/stacks/kube"
	"assay/volume"
)

// client is one client of one tier: a host, and what is measured on it.
type client struct {
	tier cluster.Tier
	host assay.Host
	node string // of a pod; "" where the scheduler chooses
	// subject is what it measures, as defined by the tier's kind of storage.
	subject assay.Subject
	pod     *placekube.Place
	// attached is the storage attached to a pod; its zero value means none.
	attached kube.Attachment
	security kube.Security // lowest level that allows the pod
}

// inPod reports whether the client is a pod.
func (c *client) inPod() bool { return c.tier.InPods() }

// isThere reports whether what is measured exists on the host, at a path. Otherwise it
// is made when it is lent, and its storage describes it (volume.Learner).
func (c *client) isThere() bool { return path.IsAbs(c.subject.Name) }

// directory returns the measured directory if it exists already, "" otherwise.
func (c *client) directory() string {
	if c.subject.Kind == assay.KindDirectory && c.isThere() {
		return c.subject.Name
	}
	return ""
}

// clientsOf returns the clients of a tier, in the order of the file.
func (o Options) clientsOf(t cluster.Tier) ([]*client, error) {
	var all []*client
	for _, c := range fromOf(t).clients(o, t) {
		c.tier = t
		all = append(all, &c)
	}
	for _, c := range all {
		if err := c.describe(o.site(), o.guest(c.host.Name)); err != nil {
			return nil, fmt.Errorf("%s: tier %s: %w", o.Cluster.File, t.Name, err)
		}
	}
	return all, nil
}

// describe gets the client's subject, and what to attach to its pod, from the tier's
// storage.
func (c *client) describe(site volume.Site, guest volume.Guest) (err error) {
	c.subject, err = c.tier.Storage.Subject(volume.Client{Tier: c.tier.Name, Host: c.host.Name, Node: c.node, Site: site, Guest: guest})
	if err != nil {
		return err
	}
	storage, is := c.tier.Storage.(kube.Attacher)
	if is && c.inPod() {
		if c.attached, err = storage.Attach(kube.ObjectName(c.host.Name, 50), c.node); err != nil {
			return err
		}
		c.subject.Name = c.attached.Path
	}
	c.subject.ID = c.host.Name + "/" + string(c.subject.Kind) + "/" + c.subject.Name
	c.subject.Host, c.subject.Tier, c.subject.Volume = c.host.Name, c.tier.Name, c.volume()
	return nil
}

// volume returns the kind of volume that lends scratch space to the client.
func (c *client) volume() string { return c.tier.Kind.Volume().Kind() }

// requires returns what the client's storage needs from the Kubernetes besides
// pods.
func (c *client) requires() kube.Needs { return requirements(c.tier) }

func requirements(t cluster.Tier) kube.Needs {
	if storage, is := t.Storage.(kube.Requirer); is {
		return storage.Requires()
	}
	return kube.Needs{}
}

// site returns the context in which names in the cluster.yaml are resolved.
func (o Options) site() volume.Site { return volume.Site{File: o.file, Kubernetes: o.access} }

// guest returns the virtual machine behind a host of the cluster.yaml.
func (o Options) guest(host string) volume.Guest {
	h := o.Cluster.Host(host)
	if h == nil {
		return volume.Guest{}
	}
	if _, reached := h.Agent(); !reached {
		return volume.Guest{}
	}
	return volume.Guest{On: h.Guest.On, Kind: h.Guest.Kind, Name: h.Guest.Name}
}

// access returns the access to the Kubernetes that the file names, or that
// kubectl uses.
func (o Options) access() (assay.KubernetesAccess, error) {
	k := o.Cluster.Kubernetes
	if k == nil {
		return assay.KubernetesAccess{}, nil
	}
	a := assay.KubernetesAccess{Context: string(k.Context)}
	if k.Kubeconfig == "" {
		return a, nil
	}
	file, err := o.file(string(k.Kubeconfig))
	a.Kubeconfig = file
	return a, err
}

// file returns the absolute path of a file named in the cluster.yaml.
func (o Options) file(name string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil && strings.HasPrefix(name, "~/") {
		return "", err
	}
	return filepath.Abs(o.Cluster.Path(name, home))
}

// pods returns the clients that are pods.
func (d *Deployment) pods() []*client {
	return slices.DeleteFunc(slices.Clone(d.clients), func(c *client) bool { return !c.inPod() })
}
