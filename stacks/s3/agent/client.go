package agent

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"assay/stacks/s3/loadgen"
)

// client returns a minio client for operations on the bucket itself, at one
// endpoint.
func (s Store) client(endpoint string) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("invalid endpoint %q: expected https://host:port", endpoint)
	}
	if s.Keys == nil {
		return nil, errors.New("no credentials")
	}
	transport, err := s.transport()
	if err != nil {
		return nil, err
	}
	lookup := minio.BucketLookupPath
	if s.VirtualHost {
		lookup = minio.BucketLookupDNS
	}
	return minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(s.Keys.Access, s.Keys.Secret, s.Keys.Session),
		Secure: u.Scheme == "https", Transport: loadgen.WatchClock{RoundTripper: transport}, Region: s.region(), BucketLookup: lookup,
		MaxRetries: 2, // report a silent store, don't wait for it
	})
}

func (s Store) region() string {
	if s.Region == "" {
		return "us-east-1"
	}
	return s.Region
}

// transport trusts the system's certificates and the store's CA. It uses no
// proxy, as a load uses none.
func (s Store) transport() (*http.Transport, error) {
	t := &http.Transport{MaxIdleConnsPerHost: 16, ResponseHeaderTimeout: time.Minute, TLSHandshakeTimeout: 15 * time.Second,
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	if s.CA == "" {
		return t, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM([]byte(s.CA)) {
		return nil, errors.New("the CA contains no PEM certificate")
	}
	t.TLSClientConfig.RootCAs = pool
	return t, nil
}
