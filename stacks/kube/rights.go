package kube

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
)

// Right is a permission that is needed: verbs on a resource.
type Right struct {
	Group    string // "" for the core group
	Resource string // pods, pods/exec
	Verbs    []string
	// Namespace is where it applies; "" for cluster-wide resources, and for all
	// namespaces if the run creates its own.
	Namespace string
	// Helpful are verbs that a run can do without, but that make it quicker or
	// easier on the API server: a role written for a user includes them.
	Helpful []string
}

// PodRights returns the rights that measuring pods need in a namespace; "" means
// one yet to be created.
func PodRights(namespace string) []Right {
	return []Right{
		{Group: "batch", Resource: "jobs", Verbs: []string{"create", "get", "list", "delete"}, Namespace: namespace},
		{Resource: "pods", Verbs: []string{"get", "list", "delete"}, Namespace: namespace},
		{Resource: "pods/log", Verbs: []string{"get"}, Namespace: namespace},
		// An exec is a create; over WebSockets, it is a get to older servers.
		{Resource: "pods/exec", Verbs: []string{"create", "get"}, Namespace: namespace},
		{Resource: "persistentvolumeclaims", Verbs: []string{"create", "get", "list", "delete"}, Namespace: namespace},
		{Resource: "events", Verbs: []string{"list"}, Namespace: namespace},
	}
}

// NamespaceRights returns the rights for a namespace of the run's own.
func NamespaceRights() []Right {
	return []Right{{Resource: "namespaces", Verbs: []string{"create", "get", "delete"}, Helpful: []string{"watch"}}}
}

// ClusterRights returns the rights to look at nodes and storage, and to leave
// no volume behind.
func ClusterRights() []Right {
	return []Right{
		{Resource: "nodes", Verbs: []string{"get", "list"}},
		{Resource: "persistentvolumes", Verbs: []string{"get", "list", "patch"}, Helpful: []string{"watch"}},
		{Group: "storage.k8s.io", Resource: "storageclasses", Verbs: []string{"get", "list"}},
	}
}

func (r Right) name() string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Group
}

// Missing returns the rights that the user lacks, with the missing verbs.
func (c *Cluster) Missing(ctx context.Context, rights []Right) ([]Right, error) {
	var missing []Right
	for _, r := range rights {
		lacks := r
		lacks.Verbs = nil
		resource, subresource, _ := strings.Cut(r.Resource, "/")
		for _, verb := range r.Verbs {
			review := &authorization.SelfSubjectAccessReview{Spec: authorization.SelfSubjectAccessReviewSpec{
				ResourceAttributes: &authorization.ResourceAttributes{
					Namespace: r.Namespace, Verb: verb, Group: r.Group, Resource: resource, Subresource: subresource}}}
			answer, err := c.client.SelfSubjectAccessReviews().Create(ctx, review)
			if err != nil {
				return nil, c.Explain("check permissions", err)
			}
			if !answer.Status.Allowed {
				lacks.Verbs = append(lacks.Verbs, verb)
			}
		}
		if len(lacks.Verbs) > 0 {
			missing = append(missing, lacks)
		}
	}
	return missing, nil
}

// user returns our user name in the cluster, "" if it does not say.
func (c *Cluster) user(ctx context.Context) string {
	review, err := c.client.SelfSubjectReviews().Create(ctx, &authentication.SelfSubjectReview{})
	if err != nil {
		return ""
	}
	return review.Status.UserInfo.Username
}

// checkRights names the missing rights, with the roles to apply as the hint.
func (c *Cluster) checkRights(ctx context.Context, rights []Right) error {
	missing, err := c.Missing(ctx, rights)
	if err != nil || len(missing) == 0 {
		return err
	}
	user := c.user(ctx)
	var words []string
	for _, r := range missing {
		where := ""
		if r.Namespace != "" {
			where = " in namespace " + r.Namespace
		}
		words = append(words, strings.Join(r.Verbs, ", ")+" "+r.name()+where)
	}
	who := "we"
	if user != "" {
		who = "user " + user
	}
	return &Problem{Reason: Forbidden,
		Text:   fmt.Sprintf("kubernetes %s: %s is not allowed to: %s", c.name, who, strings.Join(words, "; ")),
		Advice: "a cluster administrator must apply this:\n" + RoleYAML(cmp.Or(user, "NAME"), rights)}
}

// RoleYAML returns manifests that grant a user rights: a Role for each namespace
// and a ClusterRole for the rest, as one List, which kubectl apply accepts at any
// indentation.
func RoleYAML(user string, rights []Right) string {
	byNamespace := map[string][]Right{}
	for _, r := range rights {
		byNamespace[r.Namespace] = append(byNamespace[r.Namespace], r)
	}
	b := strings.Builder{}
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for _, namespace := range slices.Sorted(maps.Keys(byNamespace)) {
		kind, meta := "ClusterRole", "{name: assay}"
		if namespace != "" {
			kind, meta = "Role", fmt.Sprintf("{name: assay, namespace: %s}", namespace)
		}
		fmt.Fprintf(&b, "- apiVersion: rbac.authorization.k8s.io/v1\n  kind: %s\n  metadata: %s\n  rules:\n", kind, meta)
		for _, r := range byNamespace[namespace] {
			fmt.Fprintf(&b, "  - {apiGroups: [%q], resources: [%s], verbs: [%s]}\n", r.Group, r.Resource, strings.Join(slices.Concat(r.Verbs, r.Helpful), ", "))
		}
		fmt.Fprintf(&b, "- apiVersion: rbac.authorization.k8s.io/v1\n  kind: %sBinding\n  metadata: %s\n", kind, meta)
		fmt.Fprintf(&b, "  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %s, name: assay}\n", kind)
		fmt.Fprintf(&b, "  subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %q}]\n", user)
	}
	return b.String()
}
