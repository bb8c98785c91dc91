package kube

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"assay"
)

// Needs are what a run needs from a cluster.
type Needs struct {
	Namespace string   // one that is there; "" where the run makes its own
	Nodes     []string // that pods must run on
	Classes   []string // storage classes, "" for the default one
	Claims    bool     // volumes are claimed
	Rights    []Right  // besides those of pods, such as reading a secret
}

// Preflight checks for everything that a run needs before any of it is created,
// and names what is missing, with what to do. If rights are missing, the hint is
// the roles to apply. In an existing namespace, the cluster-wide rights are
// optional: the notes say what cannot be known without them.
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

// doesWithout reports whether the run can go on without the right to look.
func (n Needs) doesWithout(err error) bool { return n.Namespace != "" && ReasonOf(err) == Forbidden }

// unseen returns notes on what cannot be known or done without the cluster-wide
// rights.
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
	// Whoever may not see namespaces finds out on creating something there.
	switch _, err := c.client.Namespaces().Get(ctx, name); {
	case apierrors.IsNotFound(err):
		return missing("namespace", name, c.name, "")
	case err != nil && !apierrors.IsForbidden(err):
		return c.Explain("get namespace "+name, err)
	}
	return nil
}
