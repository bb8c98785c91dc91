package kube

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
)

// A kubeconfig's user and server apply to every request: tokens, exec plugins and
// OpenID Connect, as with kubectl, and no server is accepted without its certificate.
func TestCredentials(t *testing.T) {
	var said string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said = r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}`)
	}))
	t.Cleanup(server.Close)
	authority := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	trusted := "certificate-authority-data: " + authority
	const plugin = `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: /bin/sh, args: [-c,
  'echo ''{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-a-plugin"}}''']}}`
	// An ID token valid until the year 2255 needs no provider.
	lasting := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":9000000000}`)) + "."
	for name, c := range map[string]struct {
		server, user string
		want         string // "" where the server is refused
	}{
		"a token":                    {trusted, "{token: hunter2}", "Bearer hunter2"},
		"a password":                 {trusted, "{username: joe, password: hunter2}", "Basic " + base64.StdEncoding.EncodeToString([]byte("joe:hunter2"))},
		"an exec plugin":             {trusted, plugin, "Bearer from-a-plugin"},
		"OpenID Connect":             {trusted, "{auth-provider: {name: oidc, config: {idp-issuer-url: 'https://id.lan', client-id: assay, id-token: " + lasting + "}}}", "Bearer " + lasting},
		"a server that is not known": {"tls-server-name: example.com", "{token: hunter2}", ""},
		"a server of another name":   {trusted + ", tls-server-name: other.lan", "{token: hunter2}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config")
			text := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"+
				"clusters: [{name: c, cluster: {server: %q, %s}}]\nusers:\n- name: u\n  user: %s\n", server.URL, c.server, c.user)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			alone(t, "")
			k, err := Connect(assay.KubernetesAccess{Kubeconfig: file})
			if err != nil {
				t.Fatal(err)
			}
			said = ""
			_, err = k.Client().Nodes().List(t.Context(), metav1.ListOptions{})
			if said != c.want || (err != nil) != (c.want == "") {
				t.Errorf("sent %q, want %q: %v", said, c.want, err)
			}
		})
	}
}
