package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/exp/api/remote"

	"assay"
	"assay/report/exposition"
)

// Limits of a push.
const (
	most       = 45 * time.Second // including retries
	oneRequest = 10 * time.Second
	mostAnswer = 512 // bytes of an error answer shown
)

// defaultPath is where Prometheus accepts remote writes.
const defaultPath = "/api/v1/write"

// Client sends figures to one address. It is for one goroutine.
type Client struct {
	address string // without secrets
	labels  map[string]string
	token   func() (string, error)
	api     *remote.API
	line    *line
}

// New returns a client for an address, in which Prometheus' path may be omitted. token
// returns the bearer token for each push, or "" for none. instance names the sender.
func New(address string, token func() (string, error), instance string) (*Client, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil: // may quote a password
		return nil, assay.WithHint("for example http://prometheus:9090"+defaultPath, "not a URL")
	case u.User != nil:
		return nil, assay.WithHint("use --push-token 'file PATH' or 'env NAME' instead: other users can see command-line arguments", "the URL must not contain a user or password")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, assay.WithHint("for example http://prometheus:9090"+defaultPath, "%q: not an http or https URL", address)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = defaultPath
	}
	l := &line{}
	client := &http.Client{Transport: l, Timeout: oneRequest, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // the token is for this address alone
	}}
	api, err := remote.NewAPI(u.String(), remote.WithAPIHTTPClient(client), remote.WithAPIPath(""))
	if err != nil {
		return nil, err
	}
	return &Client{address: u.Redacted(), labels: map[string]string{"job": "assay", "instance": instance}, token: token, api: api, line: l}, nil
}

// Address returns where it sends to.
func (c *Client) Address() string { return c.address }

// Send sends values with one time, and retries for less than a minute if the receiver does
// not answer or is too busy.
func (c *Client) Send(ctx context.Context, samples []exposition.Sample, at time.Time) error {
	if len(samples) == 0 {
		return nil
	}
	token, err := c.token()
	if err != nil {
		return err
	}
	c.line.token = token
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	_, err = c.api.Write(within, remote.WriteV1MessageType, messageOf(samples, c.labels, at))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case within.Err() != nil:
		return fmt.Errorf("gave up after %s: %w", most, c.line.last())
	}
	return err
}

// line is the connection to the receiver. It adds the token, limits how much of an answer
// is read, and keeps the last error, which the client does not.
type line struct {
	token string
	mu    sync.Mutex
	wrong error
}

func (l *line) last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong == nil {
		return errors.New("no answer")
	}
	return l.wrong
}

// RoundTrip implements http.RoundTripper.
func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", "assay")
	if l.token != "" {
		r.Header.Set("Authorization", "Bearer "+l.token)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.wrong = err
		return nil, err
	}
	if l.wrong = nil; answer.StatusCode/100 != 2 {
		l.wrong = fmt.Errorf("server returned HTTP status %s", answer.Status)
	}
	answer.Body = bounded{io.LimitReader(answer.Body, mostAnswer), answer.Body}
	return answer, nil
}

// bounded is the first part of an answer.
type bounded struct {
	io.Reader
	io.Closer
}
