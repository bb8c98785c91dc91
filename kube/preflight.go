package kube

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/nearest"
)

// Needs are what a run is going to need of a cluster.
type Needs struct {
	Namespace string   // one that is there; "" where the run makes its own
	Nodes     []string // that pods must run on
	Classes   []string // storage classes that are named
	Rights    []Right  // beside those of pods: a secret that is read
	// Bare leaves out the rights to look at nodes, classes and volumes, where the
	// run names none of them.
	Bare bool
}

// Ready is what Preflight found.
type Ready struct {
	Nodes   []NodeFacts           // those that were named, in their order
	Classes map[string]ClassFacts // those that were named
}

// ClassFacts are what the cluster says of a storage class.
type ClassFacts struct {
	Name        string
	Provisioner string            // the CSI driver
	Reclaim     string            // Delete, Retain
	Binding     string            // Immediate, WaitForFirstConsumer
	Parameters  map[string]string // the driver's own words: numberOfReplicas, dataLocality
}

// Preflight asks for all that a run is going to need before any of it is made:
// what is missing is named, with what to do. Where rights are missing, the hint is
// the roles to apply.
func (c *Cluster) Preflight(ctx context.Context, n Needs) (Ready, error) {
	ready := Ready{Classes: map[string]ClassFacts{}}
	rights := append(PodRights(n.Namespace), n.Rights...)
	if n.Namespace == "" {
		rights = append(NamespaceRights(), rights...)
	}
	if !n.Bare || len(n.Nodes)+len(n.Classes) > 0 {
		rights = append(rights, ClusterRights()...)
	}
	if err := c.checkRights(ctx, rights); err != nil {
		return ready, err
	}
	if err := c.checkNamespace(ctx, n.Namespace); err != nil {
		return ready, err
	}
	var err error
	if len(n.Nodes) > 0 {
		if ready.Nodes, err = c.Nodes(ctx, n.Nodes...); err != nil {
			return ready, err
		}
	}
	for _, name := range n.Classes {
		if ready.Classes[name], err = c.Class(ctx, name); err != nil {
			return ready, err
		}
	}
	return ready, nil
}

func (c *Cluster) checkNamespace(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	// Who may not see namespaces finds out when something is made there.
	switch _, err := c.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{}); {
	case apierrors.IsNotFound(err):
		return missing("namespace", name, c.name, "")
	case err != nil && !apierrors.IsForbidden(err):
		return c.Explain("look at namespace "+name, err)
	}
	return nil
}

// Class gives the facts of a storage class; "" is the one that is the default.
func (c *Cluster) Class(ctx context.Context, name string) (ClassFacts, error) {
	list, err := c.client.StorageV1().StorageClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return ClassFacts{}, c.Explain("look at the storage classes", err)
	}
	var names []string
	for _, s := range list.Items {
		names = append(names, s.Name)
		if s.Name != name && (name != "" || s.Annotations["storageclass.kubernetes.io/is-default-class"] != "true") {
			continue
		}
		f := ClassFacts{Name: s.Name, Provisioner: s.Provisioner, Parameters: s.Parameters}
		if s.ReclaimPolicy != nil {
			f.Reclaim = string(*s.ReclaimPolicy)
		}
		if s.VolumeBindingMode != nil {
			f.Binding = string(*s.VolumeBindingMode)
		}
		return f, nil
	}
	slices.Sort(names)
	if name == "" {
		return ClassFacts{}, &Problem{Reason: NotFound, Text: "kubernetes " + c.name + ": no storage class is the default",
			Advice: "name one with class: there are " + strings.Join(names, ", ")}
	}
	return ClassFacts{}, missing("storage class", name, c.name, nearest.Name(name, names))
}
