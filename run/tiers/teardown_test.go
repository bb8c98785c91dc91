package tiers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/inventory/cluster"
	"assay/volume/dir"
	"assay/volume/hostpath"
	"assay/volume/namespace"
)

// stubborn is a place that cannot be closed.
type stubborn struct {
	assay.Place
	why error
}

func (s stubborn) Close() error { return s.why }

// TestTeardown has a pod that does not terminate within its place's time, as when
// its volume is slow to detach, and checks what is reported if its namespace is gone
// and if it is not.
func TestTeardown(t *testing.T) {
	slow, lost := errors.New("pod sd: still there"), errors.New("host pi1: no connection")
	for name, c := range map[string]struct {
		left   bool // the namespace cannot be deleted
		keep   bool
		says   []string
		struck bool
	}{
		"the namespace went":    {says: []string{lost.Error()}, struck: true},
		"the namespace is left": {left: true, says: []string{lost.Error(), slow.Error(), "namespace assay-0123456789abcdef"}},
		"all is kept":           {keep: true, says: []string{lost.Error(), slow.Error()}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				switch {
				case strings.Contains(r.URL.Path, "/namespaces/") && c.left:
					w.WriteHeader(http.StatusForbidden)
					fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`)
				case strings.Contains(r.URL.Path, "/namespaces/"):
					w.WriteHeader(http.StatusNotFound)
					fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"gone"}`)
				default:
					fmt.Fprint(w, `{"kind":"PersistentVolumeList","apiVersion":"v1","items":[]}`)
				}
			}))
			defer server.Close()
			file := filepath.Join(t.TempDir(), "kubeconfig")
			text := fmt.Sprintf(`{apiVersion: v1, kind: Config, current-context: x, clusters: [{name: c, cluster: {server: %q}}],
contexts: [{name: x, context: {cluster: c, user: u}}], users: [{name: u, user: {}}]}`, server.URL)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			receipt, err := namespace.Volume{Access: assay.KubernetesAccess{Kubeconfig: file}}.Reserve("0123456789abcdef", assay.Subject{Host: "here"})
			if err != nil {
				t.Fatal(err)
			}
			struck := false
			s := &Deployment{
				options: Options{Keep: c.keep, Local: func() assay.Place { return nil }},
				clients: []*client{
					{tier: cluster.Tier{Kind: hostpath.Describe()}, host: assay.Host{Name: "sd"}},
					{tier: cluster.Tier{Kind: dir.Describe()}, host: assay.Host{Name: "pi1"}},
				},
				places:    map[string]assay.Place{"sd": stubborn{why: slow}, "pi1": stubborn{why: lost}},
				namespace: receipt,
				journal: Journal{Strike: func(_ context.Context, id string) error {
					struck = id == receipt.ID
					return nil
				}},
			}
			over, cancel := context.WithCancel(t.Context())
			cancel() // as after Ctrl-C
			err = s.Teardown(over)
			for _, words := range c.says {
				if err == nil || !strings.Contains(err.Error(), words) {
					t.Errorf("%v: without %q", err, words)
				}
			}
			if c.struck && strings.Contains(fmt.Sprint(err), slow.Error()) {
				t.Errorf("it says of a pod that is gone: %v", err)
			}
			if struck != c.struck {
				t.Errorf("struck from the journal: %v", struck)
			}
		})
	}
}
