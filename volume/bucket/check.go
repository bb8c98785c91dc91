package bucket

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"assay/volume"
)

// Check implements volume.Checker: it connects to the endpoints of a store that this
// machine loads. Others would be reached from the wrong place.
func (s *Storage) Check(ctx context.Context, c volume.Clients) volume.Checkup {
	switch {
	case len(c.Hosts) > 0:
		return volume.Checkup{Unasked: []string{"endpoints, reached from " + strings.Join(c.Hosts, ", ")}}
	case c.InPods:
		return volume.Checkup{Unasked: []string{"endpoints, reached from its pod"}}
	}
	store, err := s.store(c.Tier, c.Site)
	if err != nil {
		return volume.Checkup{Err: err}
	}
	found := volume.Checkup{Unasked: []string{"keys"}}
	var errs []error
	for _, e := range store.Endpoints {
		if err := reach(ctx, e, store.CA); err != nil {
			errs = append(errs, fmt.Errorf("tier %s: cannot reach %s: %w", c.Tier, e, err))
		} else {
			found.Checked = append(found.Checked, e+" can be reached")
		}
	}
	found.Err = errors.Join(errs...)
	return found
}

// reaching bounds how long connecting may take.
const reaching = 10 * time.Second

// reach connects to an endpoint as the load does, with TLS if it has that; ca holds
// PEM certificates to trust beside the system's. No request is sent.
func reach(ctx context.Context, endpoint, ca string) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reaching)
	defer cancel()
	dial := (&net.Dialer{}).DialContext
	port := "80"
	if u.Scheme == "https" {
		roots, err := x509.SystemCertPool()
		if err != nil {
			return err
		}
		if ca != "" {
			roots.AppendCertsFromPEM([]byte(ca))
		}
		dial = (&tls.Dialer{Config: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}).DialContext
		port = "443"
	}
	c, err := dial(ctx, "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)))
	if err != nil {
		return err
	}
	return c.Close()
}
