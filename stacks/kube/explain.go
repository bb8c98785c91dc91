package kube

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"assay"
)

// Explain says in plain words why a request failed. doing is what was
// attempted, as in "look at node node1". If the request's context ended, it
// wraps err.
func (c *Cluster) Explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("kubernetes %s: %s: %w", c.name, doing, err)
	}
	at := "kubernetes " + c.name
	said := Said(err)
	problem := func(reason Reason, advice, format string, args ...any) error {
		return &Problem{Reason: reason, Text: at + ": " + fmt.Sprintf(format, args...), Event: said, Advice: advice, cause: err}
	}
	switch {
	case Away(err):
		return problem(Unreachable, "check that it is up, that the context is right, and that the network works",
			"%s: cannot reach the API server at %s", doing, c.config.Host)
	case strings.Contains(said, "failed calling webhook"):
		return problem(Admission, "find the webhook with kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations; "+
			"then check its pods, and its certificate if that is rejected",
			"%s: an admission webhook failed", doing)
	case ofKubelet(said):
		return problem(Node, KubeletAdvice(said), "%s: the API server cannot talk to the kubelet of the node", doing)
	case untrusted(said) && !answered(err):
		return problem(Unreachable, "the kubeconfig must contain the certificate authority of this cluster",
			"%s: cannot verify the certificate of the API server at %s", doing, c.config.Host)
	case apierrors.IsUnauthorized(err), strings.Contains(said, "getting credentials"):
		return problem(Unauthorized, "log in again: 'kubectl --context "+c.name+" get nodes' must work",
			"%s: authentication failed", doing)
	case strings.Contains(said, "exceeded quota"), strings.Contains(said, "failed quota"):
		return problem(Quota, "request less, or have the namespace's quota raised", "%s: quota exceeded", doing)
	case apierrors.IsForbidden(err) && strings.Contains(said, "violates PodSecurity"):
		return problem(PodSecurity, securityAdvice, "%s: forbidden by the namespace's Pod Security level", doing)
	case apierrors.IsForbidden(err) && strings.Contains(said, "admission webhook"):
		return problem(Admission, "", "%s: rejected by admission", doing)
	case apierrors.IsForbidden(err):
		return problem(Forbidden, "ask a cluster administrator to grant it", "%s: permission denied", doing)
	case apierrors.IsNotFound(err):
		return problem(NotFound, "", "%s", doing)
	}
	return fmt.Errorf("%s: %s: %w", at, doing, err)
}

// answered reports whether the error came from the API server.
func answered(err error) bool {
	var answer apierrors.APIStatus
	return errors.As(err, &answer)
}

// untrusted reports whether a certificate was rejected.
func untrusted(said string) bool {
	return strings.Contains(said, "x509:") || strings.Contains(said, "tls:")
}

// ofKubelet reports whether the API server failed to connect to a kubelet, which
// serves logs and commands on this port everywhere.
func ofKubelet(said string) bool {
	return strings.Contains(said, ":10250") && (untrusted(said) || strings.Contains(said, "dial tcp"))
}

// KubeletAdvice returns what to do if the API server cannot use a kubelet,
// given its message.
func KubeletAdvice(said string) string {
	if untrusted(said) {
		return "its certificate is unsigned or has expired: list requests with kubectl get csr, and sign with kubectl certificate approve"
	}
	return "check it on the node: systemctl status kubelet (k3s: k3s-agent)"
}

const securityAdvice = "use a namespace with a less strict level, or let assay create its own"

// Away reports whether no API server answered: the request may be retried when it is
// back.
func Away(err error) bool {
	var network net.Error
	var operation *net.OpError
	switch {
	case apierrors.IsServiceUnavailable(err), apierrors.IsServerTimeout(err), apierrors.IsTimeout(err), apierrors.IsTooManyRequests(err):
		return true
	case answered(err):
		return false // it is an answer, whatever it says
	case errors.As(err, &operation), errors.As(err, &network) && network.Timeout():
		return true
	}
	text := err.Error()
	for _, words := range []string{"connection refused", "connection reset", "unexpected EOF", "http2: client connection lost",
		"no route to host", "network is unreachable", "no such host", "TLS handshake timeout", "apiserver not ready", "server is shutting down"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return strings.HasSuffix(text, ": EOF")
}

// Beyond reports whether the API server answered, but the kubelet that it forwarded the
// request to did not.
func Beyond(err error) bool {
	text := err.Error()
	return strings.Contains(text, "error dialing backend") || strings.Contains(text, "error sending request: Post")
}

// Said returns the API's message, without the client's own wrapping.
func Said(err error) string {
	var s apierrors.APIStatus
	text := strings.TrimSpace(err.Error())
	if errors.As(err, &s) && s.Status().Message != "" {
		return strings.TrimSpace(s.Status().Message)
	}
	if at := strings.Index(text, "dial tcp"); at >= 0 {
		return text[at:]
	}
	return text
}

// missing returns the error for a name that no object has.
func missing(kind, name, where, near string) error {
	advice := ""
	if near != "" {
		advice = "did you mean " + near + "?"
	}
	return &Problem{Reason: NotFound, Text: fmt.Sprintf("kubernetes %s: no %s %q", where, kind, name), Advice: advice, cause: assay.ErrNotFound}
}
