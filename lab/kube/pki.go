package kube

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// identity is the subject of a certificate of the lab's authority.
type identity struct {
	name   string   // the user, or the server
	groups []string // of the user
	at     []string // names and addresses of the server
}

// validity is how long certificates are valid: labs are short-lived.
const validity = 30 * 24 * time.Hour

// pair returns the paths of a certificate and its key.
func (l *Lab) pair(name string) (cert, key string) {
	base := filepath.Join(l.Dir, pkiDir, name)
	return base + ".crt", base + ".key"
}

// makeAuthority makes the certificate authority, and the key that signs service
// account tokens.
func (l *Lab) makeAuthority() error {
	if err := os.MkdirAll(filepath.Join(l.Dir, pkiDir), 0o700); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "lab", NotBefore: notBefore()}, key)
	if err != nil {
		return err
	}
	certFile, keyFile := l.pair("ca")
	_, tokensFile := l.pair("tokens")
	_, _, err = keyutil.LoadOrGenerateKeyFile(tokensFile)
	return errors.Join(err, write(certFile, keyFile, ca.Raw, key))
}

// notBefore returns the start of certificates' validity: clocks of tests may be
// set back a little.
func notBefore() time.Time { return time.Now().Add(-24 * time.Hour) }

// issue writes a certificate for an identity, and its key.
func (l *Lab) issue(certFile, keyFile string, who identity) error {
	caFile, caKeyFile := l.pair("ca")
	authority, err := cert.CertsFromFile(caFile)
	if err != nil {
		return err
	}
	signer, err := keyutil.PrivateKeyFromFile(caKeyFile)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: who.name, Organization: who.groups},
		NotBefore:   notBefore(),
		NotAfter:    time.Now().Add(validity),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
	for _, at := range who.at {
		if ip := net.ParseIP(at); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, at)
		}
	}
	issued, err := x509.CreateCertificate(rand.Reader, template, authority[0], key.Public(), signer)
	if err != nil {
		return err
	}
	return write(certFile, keyFile, issued, key)
}

// write writes a certificate and its key, readable only by their owner.
func write(certFile, keyFile string, der []byte, key *ecdsa.PrivateKey) error {
	b, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return err
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: der})
	return errors.Join(os.WriteFile(certFile, certificate, 0o600), keyutil.WriteKey(keyFile, b))
}

// userName matches names that may be part of a file name.
var userName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// User returns the path of a kubeconfig for a user of that name and those groups,
// in namespace default. A new user has no rights unless a role is bound to it or
// to a group; system:masters has all.
func (l *Lab) User(name string, groups ...string) (string, error) {
	if !userName.MatchString(name) {
		return "", fmt.Errorf("user %q: small letters, digits, dots and dashes", name)
	}
	dir := filepath.Join(l.Dir, usersDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file := filepath.Join(dir, name+".kubeconfig")
	return file, l.kubeconfig(file, l.Server(), identity{name: name, groups: groups})
}

// kubeconfig writes a kubeconfig with certificate and key embedded, readable
// only by its owner.
func (l *Lab) kubeconfig(file, server string, who identity) error {
	certFile, keyFile := file+".crt", file+".key"
	defer os.Remove(certFile)
	defer os.Remove(keyFile)
	if err := l.issue(certFile, keyFile, who); err != nil {
		return err
	}
	type named map[string]any
	data := map[string][]byte{} // JSON encodes bytes in base64, as a kubeconfig does
	ca, _ := l.pair("ca")
	for _, f := range []string{ca, certFile, keyFile} {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		data[f] = b
	}
	b, err := json.MarshalIndent(named{
		"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": []named{{"name": "lab", "cluster": named{"server": server, "certificate-authority-data": data[ca]}}},
		"users":    []named{{"name": who.name, "user": named{"client-certificate-data": data[certFile], "client-key-data": data[keyFile]}}},
		"contexts": []named{{"name": "lab", "context": named{"cluster": "lab", "user": who.name, "namespace": "default"}}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o600)
}
