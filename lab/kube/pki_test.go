package kube

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/util/cert"
)

// Servers and users with the authority's certificates are trusted under the
// names in them.
func TestIssue(t *testing.T) {
	l := &Lab{Dir: t.TempDir()}
	if err := l.makeAuthority(); err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := filepath.Join(l.Dir, "api.crt"), filepath.Join(l.Dir, "api.key")
	if err := l.issue(certFile, keyFile, identity{name: "api", groups: []string{"testers"}, at: []string{"10.0.0.1", "kubernetes"}}); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	ca, _ := l.pair("ca")
	roots, err := cert.NewPool(ca)
	if err != nil {
		t.Fatal(err)
	}
	issued, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		for _, at := range []string{"10.0.0.1", "kubernetes"} {
			if _, err := issued.Verify(x509.VerifyOptions{Roots: roots, DNSName: at, KeyUsages: []x509.ExtKeyUsage{usage}}); err != nil {
				t.Error(err)
			}
		}
	}
	if s := issued.Subject; s.CommonName != "api" || len(s.Organization) != 1 || s.Organization[0] != "testers" || issued.SerialNumber.Sign() <= 0 {
		t.Errorf("issued for %v", s)
	}
	_, tokens := l.pair("tokens")
	for _, secret := range []string{keyFile, tokens} {
		if info, err := os.Stat(secret); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", secret, info, err)
		}
	}
}
