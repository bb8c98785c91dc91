package kube

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

func kubeconfig(t *testing.T, name, current string, contexts ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Config\ncurrent-context: " + current + "\ncontexts:\n")
	for _, c := range contexts {
		b.WriteString("- {name: " + c + ", context: {cluster: c-" + c + ", user: u, namespace: ns-" + c + "}}\n")
	}
	b.WriteString("clusters:\n")
	for _, c := range contexts {
		b.WriteString("- {name: c-" + c + ", cluster: {server: 'https://" + c + ".lan:6443'}}\n")
	}
	b.WriteString("users: [{name: u, user: {token: hunter2}}]\n")
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// alone isolates the test from the user's own kubeconfigs.
func alone(t *testing.T, kubeconfig string) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", kubeconfig)
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
}

func TestConnect(t *testing.T) {
	one, two := kubeconfig(t, "one", "home", "home", "garage"), kubeconfig(t, "two", "attic", "attic")
	both := one + string(filepath.ListSeparator) + two
	for name, c := range map[string]struct {
		env    string
		access assay.KubernetesAccess
		server string
		kept   assay.KubernetesAccess // passed to another process
	}{
		"current":               {one, assay.KubernetesAccess{}, "https://home.lan:6443", assay.KubernetesAccess{Kubeconfig: one, Context: "home"}},
		"a context":             {one, assay.KubernetesAccess{Context: "garage"}, "https://garage.lan:6443", assay.KubernetesAccess{Kubeconfig: one, Context: "garage"}},
		"of the second file":    {both, assay.KubernetesAccess{Context: "attic"}, "https://attic.lan:6443", assay.KubernetesAccess{Context: "attic"}},
		"a file":                {one, assay.KubernetesAccess{Kubeconfig: two}, "https://attic.lan:6443", assay.KubernetesAccess{Kubeconfig: two, Context: "attic"}},
		"the first file's wins": {both, assay.KubernetesAccess{}, "https://home.lan:6443", assay.KubernetesAccess{Context: "home"}},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t, c.env)
			k, err := Connect(c.access)
			if err != nil {
				t.Fatal(err)
			}
			if k.Server() != c.server || k.Access() != c.kept {
				t.Errorf("%s, %+v", k.Server(), k.Access())
			}
		})
	}
}

// The access passed to another process is valid in any directory.
func TestRelativeFile(t *testing.T) {
	one := kubeconfig(t, "one", "home", "home")
	t.Chdir(filepath.Dir(one))
	want := assay.KubernetesAccess{Kubeconfig: one, Context: "home"}
	for env, access := range map[string]assay.KubernetesAccess{"one": {}, "": {Kubeconfig: "one"}} {
		alone(t, env)
		k, err := Connect(access)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Access(); got != want {
			t.Errorf("KUBECONFIG=%s, %+v: %+v, want %+v", env, access, got, want)
		}
	}
}

func TestNoConnection(t *testing.T) {
	one := kubeconfig(t, "one", "home", "home", "garage")
	none := kubeconfig(t, "none", "''", "home", "garage")
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("clusters: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env        string
		access     assay.KubernetesAccess
		says, hint string
	}{
		"no such context": {one, assay.KubernetesAccess{Context: "garrage"}, `no context "garrage" in ` + one, "did you mean garage?"},
		"nothing near":    {one, assay.KubernetesAccess{Context: "zzzzzzz"}, `no context "zzzzzzz"`, "available: garage, home"},
		"none is current": {none, assay.KubernetesAccess{}, "no current context", "kubectl config use-context"},
		"no such file":    {"", assay.KubernetesAccess{Kubeconfig: "/no/such/file"}, "kubeconfig /no/such/file does not exist", "check the path"},
		"no file at all":  {"", assay.KubernetesAccess{}, ".kube/config", "set KUBECONFIG"},
		"no YAML":         {broken, assay.KubernetesAccess{}, broken, ""},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t, c.env)
			_, err := Connect(c.access)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
				t.Errorf("got %v (%s), want %q (%q)", err, assay.Hint(err), c.says, c.hint)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	text := `{apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}],
contexts: [{name: x, context: {cluster: c, user: u}}], users: [{name: u, user: {token: hunter2}}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Connect(assay.KubernetesAccess{Kubeconfig: file})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Nodes(t.Context(), "pi1")
	if ReasonOf(err) != Unreachable || !errors.Is(err, assay.ErrHostGone) || assay.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
	want := "kubernetes x: list nodes: cannot reach the API server at https://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused"
	if err.Error() != want {
		t.Errorf("it says %q, want %q", err, want)
	}
}

func TestLabels(t *testing.T) {
	for words, want := range map[string]string{"sd@node1": "sd-node1", "": "", "-x_": "x", "A.b-C_d": "A.b-C_d", strings.Repeat("x", 70): strings.Repeat("x", 63)} {
		if got := LabelValue(words); got != want {
			t.Errorf("LabelValue(%q) = %q, want %q", words, got, want)
		}
	}
	for words, want := range map[string]string{"SD Card@node1": "sd-card-n", "--": "", "a_b.c": "a-b-c", "abcdefgh-ij": "abcdefgh"} {
		if got := ObjectName(words, 9); got != want {
			t.Errorf("ObjectName(%q) = %q, want %q", words, got, want)
		}
	}
}
