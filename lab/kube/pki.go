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
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// identity is whom a certificate of the lab's authority speaks for.
type identity struct {
	name   string   // the user, or the server
	groups []string // of the user
	at     []string // names and addresses of the server
}

// validity is how long certificates hold: a lab does not grow old.
const validity = 30 * 24 * time.Hour

// pair gives the paths of a certificate and its key.
func (l *Lab) pair(name string) (cert, key string) {
	base := filepath.Join(l.Dir, pkiDir, name)
	return base + ".crt", base + ".key"
}

// makeAuthority makes the authority, and the key that signs service accounts'
// tokens.
func (l *Lab) makeAuthority() error {
	if err := os.MkdirAll(filepath.Join(l.Dir, pkiDir), 0o700); err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := certificate("lab")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	b, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	tokens, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	certFile, keyFile := l.pair("ca")
	_, tokensFile := l.pair("tokens")
	return errors.Join(writePEM(certFile, "CERTIFICATE", b), writeKey(keyFile, key), writeKey(tokensFile, tokens))
}

func certificate(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // it never fails
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		// Clocks of tests may be set back a little.
		NotBefore: time.Now().Add(-24 * time.Hour),
		NotAfter:  time.Now().Add(validity),
	}
}

// issue writes a certificate for an identity and its key.
func (l *Lab) issue(certFile, keyFile string, who identity) error {
	caFile, caKeyFile := l.pair("ca")
	authority, err := readPEM(caFile)
	if err != nil {
		return err
	}
	ca, err := x509.ParseCertificate(authority)
	if err != nil {
		return fmt.Errorf("%s: %w", caFile, err)
	}
	b, err := readPEM(caKeyFile)
	if err != nil {
		return err
	}
	signer, err := x509.ParseECPrivateKey(b)
	if err != nil {
		return fmt.Errorf("%s: %w", caKeyFile, err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := certificate(who.name)
	template.Subject.Organization = who.groups
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	for _, at := range who.at {
		if ip := net.ParseIP(at); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, at)
		}
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, ca, key.Public(), signer)
	if err != nil {
		return err
	}
	return errors.Join(writePEM(certFile, "CERTIFICATE", cert), writeKey(keyFile, key))
}

func readPEM(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, fmt.Errorf("%s: no PEM", file)
	}
	return block.Bytes, nil
}

func writePEM(file, kind string, b []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600)
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	b, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(file, "EC PRIVATE KEY", b)
}

// userName is what may be part of a file's name.
var userName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// User gives the path of a kubeconfig for a user of that name and those groups,
// in namespace default. A new one may do nothing, unless a role is bound to the
// user or to a group: system:masters may do all.
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

// kubeconfig writes one, with certificate and key in it, readable by its owner.
func (l *Lab) kubeconfig(file, server string, who identity) error {
	cert, key := file+".crt", file+".key"
	defer os.Remove(cert)
	defer os.Remove(key)
	if err := l.issue(cert, key, who); err != nil {
		return err
	}
	type named map[string]any
	data := map[string][]byte{} // JSON writes bytes in base64, as a kubeconfig does
	ca, _ := l.pair("ca")
	for _, f := range []string{ca, cert, key} {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		data[f] = b
	}
	b, err := json.MarshalIndent(named{
		"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": []named{{"name": "lab", "cluster": named{"server": server, "certificate-authority-data": data[ca]}}},
		"users":    []named{{"name": who.name, "user": named{"client-certificate-data": data[cert], "client-key-data": data[key]}}},
		"contexts": []named{{"name": "lab", "context": named{"cluster": "lab", "user": who.name, "namespace": "default"}}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o600)
}
