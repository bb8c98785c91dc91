package kube

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	_ "k8s.io/client-go/plugin/pkg/client/auth/oidc" // as in kubectl, besides exec plugins
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"

	"assay"
	"assay/internal/nearest"
	"assay/stacks/kube/api"
)

// Cluster is a Kubernetes cluster, used with one user's rights.
type Cluster struct {
	access assay.KubernetesAccess
	name   string
	config *rest.Config
	client *api.Client
}

// Requests may come in bursts, especially at the start of a run; the library's
// default limits (5 per second) are for controllers.
const (
	requestsPerSecond = 50
	requestsAtOnce    = 100
)

// Connect loads kubeconfigs as kubectl does: one or several files from
// KUBECONFIG, else ~/.kube/config, else, in a pod, that pod's service account. It
// does not contact the cluster.
func Connect(access assay.KubernetesAccess) (*Cluster, error) {
	quiet()
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	if access.Kubeconfig != "" {
		rules = &clientcmd.ClientConfigLoadingRules{ExplicitPath: access.Kubeconfig}
	}
	rules.DefaultClientConfig = nil
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules,
		&clientcmd.ConfigOverrides{CurrentContext: access.Context})
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, explainFile(rules, err)
	}
	if err := checkContext(raw, access, rules); err != nil {
		return nil, err
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, explainFile(rules, err)
	}
	config.QPS, config.Burst = requestsPerSecond, requestsAtOnce
	config.UserAgent = "assay"
	config.WarningHandler = rest.NoWarnings{}
	c := &Cluster{access: access, name: nameOf(raw, access), config: config}
	if c.client, err = api.New(config); err != nil {
		return nil, fmt.Errorf("kubernetes %s: %w", c.name, err)
	}
	return c, nil
}

// quiet keeps client-go from writing to stderr, which is assay's own: its
// messages about broken streams come back as errors as well.
var quiet = sync.OnceFunc(func() { klog.SetLogger(klog.Logger{}) })

// checkContext rejects a context that does not exist.
func checkContext(raw clientcmdapi.Config, access assay.KubernetesAccess, rules *clientcmd.ClientConfigLoadingRules) error {
	name := access.Context
	if name == "" {
		name = raw.CurrentContext
	}
	var names []string
	for n := range raw.Contexts {
		names = append(names, n)
	}
	slices.Sort(names)
	switch _, known := raw.Contexts[name]; {
	case known:
		return nil
	case len(names) == 0 && access.Context == "" && inPod():
		return nil
	case len(names) == 0:
		return assay.WithHint("give one with kubeconfig: in cluster.yaml, or set KUBECONFIG",
			"kubernetes: no kubeconfig with a context found in %s", filesOf(rules))
	case name == "":
		return assay.WithHint("give one with context:, or select it with: kubectl config use-context "+names[0],
			"kubernetes: no current context in %s; available: %s", filesOf(rules), strings.Join(names, ", "))
	}
	hint := "available: " + strings.Join(names, ", ")
	if near := nearest.Name(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return assay.WithHint(hint, "kubernetes: no context %q in %s", name, filesOf(rules))
}

func inPod() bool {
	_, err := rest.InClusterConfig()
	return err == nil
}

func nameOf(raw clientcmdapi.Config, access assay.KubernetesAccess) string {
	for _, name := range []string{access.Context, raw.CurrentContext} {
		if name != "" {
			return name
		}
	}
	return "of this pod"
}

// filesOf returns the kubeconfigs that were searched.
func filesOf(rules *clientcmd.ClientConfigLoadingRules) string {
	if rules.ExplicitPath != "" {
		return rules.ExplicitPath
	}
	return strings.Join(rules.Precedence, string(filepath.ListSeparator))
}

func explainFile(rules *clientcmd.ClientConfigLoadingRules, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return assay.WithHint("check the path, or leave it out to use KUBECONFIG and ~/.kube/config",
			"kubernetes: kubeconfig %s does not exist", filesOf(rules))
	}
	if errors.Is(err, fs.ErrPermission) {
		return assay.WithHint("run as a user with read permission", "kubernetes: cannot read kubeconfig %s: %w", filesOf(rules), err)
	}
	return fmt.Errorf("kubernetes: kubeconfig %s: %w", filesOf(rules), err)
}

// Name returns the context's name, for people.
func (c *Cluster) Name() string { return c.name }

// Server returns the address of the API server.
func (c *Cluster) Server() string { return c.config.Host }

// Access returns the access to the cluster in a form that outlives this process:
// it names the current context, and the file in KUBECONFIG if that is just one.
// File paths are absolute.
func (c *Cluster) Access() assay.KubernetesAccess {
	a := c.access
	if a.Kubeconfig == "" {
		if list := filepath.SplitList(os.Getenv(clientcmd.RecommendedConfigPathEnvVar)); len(list) == 1 {
			a.Kubeconfig = list[0]
		}
	}
	if a.Kubeconfig != "" {
		if path, err := filepath.Abs(a.Kubeconfig); err == nil {
			a.Kubeconfig = path
		}
	}
	if a.Context == "" && c.name != nameOf(clientcmdapi.Config{}, assay.KubernetesAccess{}) {
		a.Context = c.name
	}
	return a
}

// Client returns the API client.
func (c *Cluster) Client() *api.Client { return c.client }

// Config returns a copy of the API client's configuration.
func (c *Cluster) Config() *rest.Config { return rest.CopyConfig(c.config) }
