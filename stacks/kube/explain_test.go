package kube

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"assay"
	"assay/stacks/kube/api/apitest"
)

// The messages are those of a version 1.33 API server.
func TestExplain(t *testing.T) {
	internal := func(message string) error { return apierrors.NewInternalError(errors.New(message)) }
	c := &Cluster{name: "home", config: &rest.Config{Host: "https://home.lan:6443"}}
	for name, s := range map[string]struct {
		err        error
		reason     Reason
		says, hint string
		gone       bool
	}{
		"the API server's certificate": {fmt.Errorf(`Post "https://home.lan:6443/api": tls: failed to verify certificate: %w`, x509.UnknownAuthorityError{}),
			Unreachable, "cannot verify the certificate of the API server at https://home.lan:6443", "certificate authority of this cluster", true},
		"a webhook's": {internal(`failed calling webhook "validate.kyverno.svc": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate?timeout=10s": tls: failed to verify certificate: x509: certificate has expired`),
			Admission, "an admission webhook failed", "validatingwebhookconfigurations", false},
		"a webhook that is off": {internal(`failed calling webhook "x": failed to call webhook: Post "https://x.svc:443/": dial tcp 10.0.0.1:443: connect: connection refused`),
			Admission, "an admission webhook failed", "check its pods", false},
		"a kubelet's": {internal(`Get "https://10.0.0.2:10250/containerLogs/ns/pod/assay": remote error: tls: internal error`),
			Node, "kubelet of the node", "kubectl get csr", true},
		"a kubelet that is off": {internal(`Get "https://10.0.0.2:10250/containerLogs/ns/pod/assay": dial tcp 10.0.0.2:10250: connect: connection refused`),
			Node, "kubelet of the node", "systemctl status kubelet", true},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.Explain("make job x", s.err)
			if ReasonOf(err) != s.reason || !strings.Contains(err.Error(), s.says) || !strings.Contains(assay.Hint(err), s.hint) || errors.Is(err, assay.ErrHostGone) != s.gone {
				t.Errorf("%s: %v (%s)", ReasonOf(err), err, assay.Hint(err))
			}
		})
	}
}

// The log request names assay's container: with several containers, a request
// that names none is refused.
func TestLogNamesTheContainer(t *testing.T) {
	server := apitest.Serve(t)
	server.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
		q := r.Query
		if r.Path != "/api/v1/namespaces/ns/pods/pod/log" || q.Get("container") != ContainerName || q.Get("tailLines") != "20" || q.Get("limitBytes") == "" {
			t.Errorf("it asked %s %v", r.Path, q)
		}
		_, _ = io.WriteString(w, "the last lines\n")
		return true
	})
	log, err := (&Cluster{name: "home", client: server.Client}).Log(t.Context(), "ns", "pod", 20)
	if err != nil || log != "the last lines\n" {
		t.Errorf("got %q, %v", log, err)
	}
}
