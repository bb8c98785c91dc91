package loadgen

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Payload is how the signature of a PUT covers the body.
type Payload string

// The payloads.
const (
	// Auto is Unsigned if Prepare finds that the store accepts it, and Signed
	// otherwise.
	Auto Payload = ""
	// Signed includes the body's SHA-256 in the signature, which costs half the
	// CPU time of a large PUT.
	Signed Payload = "signed"
	// Unsigned leaves the body out of the signature. The store still receives
	// and checks its CRC-32.
	Unsigned Payload = "unsigned"
)

// Credentials sign requests. They print redacted.
type Credentials struct {
	AccessKey    string
	SecretKey    string
	SessionToken string // "" where there is none
}

func (Credentials) String() string { return "(credentials)" }

// GoString is String: neither prints a secret.
func (c Credentials) GoString() string { return c.String() }

// MarshalText keeps credentials out of JSON.
func (c Credentials) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Target is where the load goes.
type Target struct {
	// Endpoints are http:// or https:// addresses of one store. A closed loop
	// spreads its clients over them, an open loop its operations.
	Endpoints []string
	Region    string // what requests are signed for; "" is us-east-1
	Bucket    string // it must exist
	// Prefix begins every key. Everything below it belongs to the load and is
	// removed by Clean: nothing else may use it.
	Prefix      string
	VirtualHost bool   // BUCKET.host/key rather than host/BUCKET/key
	CA          []byte // PEM certificates to trust besides the system's
	Payload     Payload
	Timeout     time.Duration // longest silence in either direction; 0 is a minute
	Credentials Credentials
}

// endpoint is a parsed address.
type endpoint struct {
	address string      // host:port to connect to
	host    string      // of the requests
	base    string      // path before the key, with a trailing slash
	tls     *tls.Config // nil for plain HTTP
	name    string      // as it was given
}

// endpoints parses the addresses. It does no DNS lookups.
func (t Target) endpoints() ([]endpoint, error) {
	if len(t.Endpoints) == 0 {
		return nil, errors.New("no endpoint given")
	}
	var all []endpoint
	for _, name := range t.Endpoints {
		e, err := t.endpoint(name)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func (t Target) endpoint(name string) (endpoint, error) {
	u, err := url.Parse(name)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return endpoint{}, fmt.Errorf("invalid endpoint %q: expected https://host:port", redact(name))
	}
	if u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "" {
		return endpoint{}, fmt.Errorf("endpoint %q: only a host and a port are allowed", redact(name))
	}
	e := endpoint{address: u.Host, host: u.Host, base: "/" + t.Bucket + "/", name: u.Scheme + "://" + u.Host}
	if u.Port() == "" {
		e.address += map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	}
	if t.VirtualHost {
		e.host, e.base = t.Bucket+"."+u.Host, "/"
		if u.Port() == "" {
			e.address = t.Bucket + "." + e.address
		} else {
			e.address = e.host
		}
	}
	if u.Scheme == "https" {
		e.tls = &tls.Config{ServerName: hostOnly(e.host), MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
		if len(t.CA) > 0 {
			pool, err := x509.SystemCertPool()
			if err != nil {
				pool = x509.NewCertPool()
			}
			if !pool.AppendCertsFromPEM(t.CA) {
				return endpoint{}, errors.New("the CA contains no PEM certificate")
			}
			e.tls.RootCAs = pool
		}
	}
	return e, nil
}

// redact removes what may be a password from an address.
func redact(address string) string {
	if at := strings.LastIndex(address, "@"); at >= 0 {
		return "…" + address[at:]
	}
	return address
}

func hostOnly(host string) string {
	return (&url.URL{Host: host}).Hostname()
}

// check returns an error for an invalid target.
func (t Target) check() error {
	switch {
	case len(t.Bucket) < 3 || strings.ContainsAny(t.Bucket, "/?# "):
		return fmt.Errorf("invalid bucket name %q", t.Bucket)
	case t.Prefix == "" || strings.HasPrefix(t.Prefix, "/"):
		return errors.New("a prefix is required, without a leading slash")
	case t.Payload != Auto && t.Payload != Signed && t.Payload != Unsigned:
		return fmt.Errorf("payload %q: expected signed or unsigned", t.Payload)
	case t.Timeout < 0:
		return fmt.Errorf("invalid timeout %s", t.Timeout)
	case t.Credentials.AccessKey == "" || t.Credentials.SecretKey == "":
		return errors.New("no credentials")
	}
	return nil
}
