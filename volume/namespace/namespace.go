package namespace

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/kube"
)

// Kind is its name in receipts.
const Kind = "namespace"

// The roles of a receipt's names.
const (
	roleNamespace  = "namespace"
	roleGiven      = "given" // instead: the user's namespace that the run uses
	roleKubeconfig = "kubeconfig"
	roleContext    = "context"
	roleServer     = "server" // API server: the context may later mean another cluster
	roleSecurity   = "security"
	roleRun        = "run"
	roleHosts      = "hosts" // whose pods are in it, separated by spaces
)

const (
	// releaseBound limits how long deleting everything may take: volumes are
	// unmounted, detached and deleted by several programs that poll now and then.
	releaseBound = 5 * time.Minute
	lendBound    = time.Minute
)

// Volume creates namespaces. The zero value can release: everything it needs is
// in the receipt.
type Volume struct {
	Access   assay.KubernetesAccess
	Security kube.Security // the level that the namespace is to have; "" is restricted
	Run      string        // the run's id
	// Given is a user's namespace, "" for a new one.
	Given string
	// Hosts are those whose pods will be in it and go with it. A name has no
	// spaces.
	Hosts []string

	bound time.Duration // instead of releaseBound
}

// New returns a volume that releases what any other has made.
func New() Volume { return Volume{} }

// Kind is its name in receipts.
func (Volume) Kind() string { return Kind }

// Name returns the name of the namespace for a receipt id.
func Name(id string) string { return "assay-" + id }

// In returns the namespace of a receipt.
func In(r assay.Receipt) string {
	if given := r.Names[roleGiven]; given != "" {
		return given
	}
	return r.Names[roleNamespace]
}

// Takes returns the hosts that go with a namespace, and the error that commands on
// them then end with.
func (Volume) Takes(r assay.Receipt) (hosts []string, gone error) {
	return strings.Fields(r.Names[roleHosts]), &kube.Problem{Reason: kube.Removed, Text: "its pod was deleted with namespace " + In(r)}
}

// Reserve names the namespace. It reads the kubeconfig and contacts nobody; the
// receipt holds no secret.
func (v Volume) Reserve(id string, s assay.Subject) (assay.Receipt, error) {
	if err := assay.CheckID(id); err != nil {
		return assay.Receipt{}, err
	}
	c, err := kube.Connect(v.Access)
	if err != nil {
		return assay.Receipt{}, err
	}
	access := c.Access()
	names := map[string]string{
		roleKubeconfig: access.Kubeconfig, roleContext: access.Context, roleServer: c.Server(),
		roleSecurity: string(kube.Restricted.AtLeast(v.Security)), roleRun: v.Run, roleHosts: strings.Join(v.Hosts, " "),
	}
	if v.Given != "" {
		if v.Run == "" {
			return assay.Receipt{}, fmt.Errorf("namespace %s: without a run id nothing in it can be identified as assay's", v.Given)
		}
		names[roleGiven] = v.Given
	} else {
		names[roleNamespace] = Name(id)
	}
	return assay.Receipt{ID: id, Volume: Kind, Host: s.Host, Subject: s.ID, Names: names}, nil
}

// Make creates the namespace, and waits until it accepts pods, which are refused
// before it has a service account. An existing namespace is refused.
func (v Volume) Make(ctx context.Context, r assay.Receipt) error {
	ctx, cancel := context.WithTimeout(ctx, lendBound)
	defer cancel()
	c, err := connect(r)
	if err != nil {
		return err
	}
	name := In(r)
	spaces := c.Client().Namespaces()
	if r.Names[roleGiven] != "" {
		// Without permission to see namespaces, errors show when something is
		// created there.
		if _, err := spaces.Get(ctx, name); err != nil && !apierrors.IsForbidden(err) {
			return c.Explain("get namespace "+name, err)
		}
		return nil
	}
	labels := kube.Labels(r.Names[roleRun], "")
	labels[kube.LabelReceipt] = r.ID
	labels["pod-security.kubernetes.io/enforce"] = r.Names[roleSecurity]
	_, err = spaces.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}})
	if apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("kubernetes %s: namespace %s already exists: %w", c.Name(), name, assay.ErrBusy)
	}
	if err != nil {
		return c.Explain("create namespace "+name, err)
	}
	for {
		_, err := c.Client().ServiceAccounts(name).Get(ctx, "default")
		if err == nil || apierrors.IsForbidden(err) {
			return nil
		}
		if !apierrors.IsNotFound(err) {
			return c.Explain("wait for the service account of namespace "+name, err)
		}
		if sleep.For(ctx, 50*time.Millisecond) != nil {
			return fmt.Errorf("kubernetes %s: namespace %s got no service account: %w", c.Name(), name, ctx.Err())
		}
	}
}

// Release deletes the namespace with everything in it, and verifies that it is
// gone, with the volumes of its claims. In a user's namespace it deletes what the
// run has made. at is not used.
func (v Volume) Release(ctx context.Context, _ assay.Place, r assay.Receipt) error {
	bound := releaseBound
	if v.bound > 0 {
		bound = v.bound
	}
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	c, err := connect(r)
	if err != nil {
		return err
	}
	if r.Names[roleGiven] != "" {
		return Sweep(ctx, c, r.Names[roleGiven], r.Names[roleRun])
	}
	return remove(ctx, c, r)
}

// connect reads the receipt, and rejects one that Reserve would not have made, or
// that means another cluster by now.
func connect(r assay.Receipt) (*kube.Cluster, error) {
	given, name := r.Names[roleGiven], r.Names[roleNamespace]
	sound := given == "" && name == Name(r.ID) || name == "" && given != "" && kube.LabelValue(r.Names[roleRun]) != ""
	if r.Volume != Kind || !assay.SafeID(r.ID) || !sound {
		return nil, fmt.Errorf("receipt %q is not for a namespace of assay: %q", r.ID, name+given)
	}
	c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: r.Names[roleKubeconfig], Context: r.Names[roleContext]})
	if err != nil {
		return nil, err
	}
	if was := r.Names[roleServer]; was != "" && was != c.Server() {
		return nil, assay.WithHint("point the context back to the old cluster and run: assay cleanup",
			"kubernetes %s is now at %s and was at %s: namespace %s may be left on the old one", c.Name(), c.Server(), was, In(r))
	}
	return c, nil
}

func remove(ctx context.Context, c *kube.Cluster, r assay.Receipt) error {
	name := In(r)
	spaces := c.Client().Namespaces()
	space, err := spaces.Get(ctx, name)
	switch {
	case apierrors.IsNotFound(err):
		return c.SeeVolumesGone(ctx, name, nil)
	case err != nil:
		return c.Explain("get namespace "+name, err)
	case space.Labels[kube.LabelReceipt] != r.ID || space.Labels[kube.LabelManagedBy] != kube.ManagedBy:
		return fmt.Errorf("kubernetes %s: namespace %s lacks the label %s=%s: not created by assay, so not deleted",
			c.Name(), name, kube.LabelReceipt, r.ID)
	}
	if err := c.LetVolumesGo(ctx, name, nil); err != nil {
		return err
	}
	err = spaces.Delete(ctx, name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(space.UID))})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return c.Explain("delete namespace "+name, err)
	}
	for vigil := (kube.Vigil{}); ; {
		space, err := spaces.Get(ctx, name)
		if apierrors.IsNotFound(err) {
			break
		}
		if err != nil && !kube.Away(err) && ctx.Err() == nil {
			return c.Explain("check that namespace "+name+" is gone", err)
		}
		if err != nil {
			vigil.Rest(ctx)
		} else {
			vigil.Change(ctx, spaces, metav1.ListOptions{FieldSelector: "metadata.name=" + name, ResourceVersion: space.ResourceVersion},
				map[string]bool{name: true})
		}
		if ctx.Err() != nil {
			return stuck(c, name, space, err)
		}
	}
	return c.SeeVolumesGone(ctx, name, nil)
}

// stuck returns why a namespace does not go away.
func stuck(c *kube.Cluster, name string, space *corev1.Namespace, err error) error {
	if err != nil && kube.Away(err) {
		return c.Explain("check that namespace "+name+" is gone", err)
	}
	var why []string
	if space != nil {
		for _, condition := range space.Status.Conditions {
			if condition.Status == corev1.ConditionTrue {
				why = append(why, condition.Message)
			}
		}
	}
	return assay.WithHint("a pod on a node that is down is removed when the node is back or deleted; then run: assay cleanup",
		"kubernetes %s: namespace %s is still being deleted: %s", c.Name(), name, strings.Join(why, "; "))
}
