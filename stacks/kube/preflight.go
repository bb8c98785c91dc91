package kube

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"assay"
)

// Needs are what a run is going to need of a cluster.
type Needs struct {
	Namespace string   // one that is there; "" where the run makes its own
	Nodes     []string // that pods must run on
	Classes   []string // storage classes, "" for the default one
	Claims    bool     // volumes are claimed
	Rights    []Right  // beside those of pods: a secret that is read
}

// Preflight asks for all that a run is going to need before any of it is made:
// what is missing is named, with what to do. Where rights are missing, the hint is
// the roles to apply. In a namespace that is there already those for the whole
// cluster can be done without: the notes say what then cannot be known.
func (c *Cluster) Preflight(ctx context.Context, n Needs) ([]assay.Note, error) {
	rights := append(PodRights(n.Namespace), n.Rights...)
	if n.Namespace == "" {
		rights = slices.Concat(NamespaceRights(), rights, ClusterRights())
	}
	if err := c.checkRights(ctx, rights); err != nil {
		return nil, err
	}
	if err := c.checkNamespace(ctx, n.Namespace); err != nil {
		return nil, err
	}
	if len(n.Nodes) > 0 {
		if _, err := c.Nodes(ctx, n.Nodes...); err != nil && !n.doesWithout(err) {
			return nil, err
		}
	}
	for _, name := range n.Classes {
		if _, err := c.class(ctx, name); err != nil && !n.doesWithout(err) {
			return nil, err
		}
	}
	if n.Namespace == "" {
		return nil, nil
	}
	return c.unseen(ctx, n)
}

// doesWithout reports whether the run can go on where it may not look.
func (n Needs) doesWithout(err error) bool { return n.Namespace != "" && ReasonOf(err) == Forbidden }

// unseen says what cannot be known or done without the rights for the whole
// cluster.
func (c *Cluster) unseen(ctx context.Context, n Needs) ([]assay.Note, error) {
	missing, err := c.Missing(ctx, ClusterRights())
	if err != nil {
		return nil, err
	}
	var notes []assay.Note
	for _, right := range missing {
		without, concerns := "", false
		switch right.Resource {
		case "nodes":
			without, concerns = "node readiness, and why a node was lost, cannot be reported", true
		case "storageclasses":
			without, concerns = "storage classes cannot be checked", n.Claims
		case "persistentvolumes":
			without, concerns = "the storage behind a claim cannot be reported; a claim is refused if the name of its volume lacks its UID, because the volume may hold someone's data; volumes of a class with Retain stay after the run", n.Claims
		}
		if concerns {
			notes = append(notes, assay.Note{ID: "kube-rights",
				Text: "kubernetes " + c.name + ": not allowed to " + strings.Join(right.Verbs, ", ") + " " + right.name() + ": " + without})
		}
	}
	return notes, nil
}

func (c *Cluster) checkNamespace(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	// Who may not see namespaces finds out when something is made there.
	switch _, err := c.client.Namespaces().Get(ctx, name); {
	case apierrors.IsNotFound(err):
		return missing("namespace", name, c.name, "")
	case err != nil && !apierrors.IsForbidden(err):
		return c.Explain("get namespace "+name, err)
	}
	return nil
}
