package push_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"
	"google.golang.org/protobuf/encoding/protowire"

	"assay"
	"assay/lab/prometheus"
	"assay/lab/prometheus/prometheustest"
	"assay/monitoring/push"
	"assay/report/exposition"
)

func none() (string, error) { return "", nil }

var samples = []exposition.Sample{
	{Metric: "assay_net_rtt_median_seconds", Labels: map[string]string{"host": "pve1", "peer": "pve2", "subject": `a "b" → c`}, Value: .00025},
	{Metric: "assay_watch_failed_rounds", Labels: map[string]string{}, Value: 3},
}

// client returns a client that pushes to an address.
func client(t *testing.T, address string) *push.Client {
	t.Helper()
	c, err := push.New(address, none, "laptop")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A real Prometheus has what was pushed, with its labels and who pushed it.
func TestPrometheusTakesAPush(t *testing.T) {
	t.Parallel()
	l := prometheustest.Up(t, prometheus.Options{Writes: true})
	c := client(t, l.URL)
	now := time.Now()
	for _, at := range []time.Time{now.Add(-time.Minute), now} {
		if err := c.Send(t.Context(), samples, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range samples {
		got, err := l.Query(t.Context(), s.Metric)
		if err != nil || len(got) != 1 || got[0].Value != s.Value {
			t.Fatalf("%s: %v, %v", s.Metric, got, err)
		}
		s.Labels["job"], s.Labels["instance"], s.Labels["__name__"] = "assay", "laptop", s.Metric
		if fmt.Sprint(got[0].Labels) != fmt.Sprint(s.Labels) {
			t.Errorf("labels %v, want %v", got[0].Labels, s.Labels)
		}
	}
}

// A Prometheus that accepts no writes says so, and is not tried again.
func TestPrometheusThatTakesNoWrites(t *testing.T) {
	t.Parallel()
	l := prometheustest.Up(t, prometheus.Options{})
	if err := client(t, l.URL).Send(t.Context(), samples, time.Now()); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("%v", err)
	}
}

// receiver answers pushes, and keeps the last.
type receiver struct {
	statuses []int // of the next answers; then 204
	answer   string
	requests []*http.Request
	body     []byte
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.requests = append(r.requests, q)
	r.body, _ = io.ReadAll(q.Body)
	status := http.StatusNoContent
	if len(r.statuses) > 0 {
		status, r.statuses = r.statuses[0], r.statuses[1:]
	}
	if status == http.StatusTemporaryRedirect {
		w.Header().Set("Location", "http://127.0.0.1:9/")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, r.answer)
}

// The message follows the protocol's first version, byte for byte as in its schema.
func TestMessage(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	server := httptest.NewServer(r)
	defer server.Close()
	at := time.UnixMilli(1795575600123)
	c, err := push.New(server.URL+"/other/path", func() (string, error) { return "s3cret", nil }, "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(t.Context(), samples[1:], at); err != nil {
		t.Fatal(err)
	}
	q := r.requests[0]
	for name, want := range map[string]string{"Authorization": "Bearer s3cret", "Content-Encoding": "snappy", "Content-Type": "application/x-protobuf", "X-Prometheus-Remote-Write-Version": "0.1.0", "User-Agent": "assay"} {
		if got := q.Header.Get(name); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if q.URL.Path != "/other/path" {
		t.Errorf("sent to %s", q.URL.Path)
	}
	raw, err := snappy.Decode(nil, r.body)
	if err != nil {
		t.Fatal(err)
	}
	label := func(name, value string) []byte {
		l := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
		return protowire.AppendString(protowire.AppendTag(l, 2, protowire.BytesType), value)
	}
	var series []byte
	for _, l := range [][]byte{label("__name__", "assay_watch_failed_rounds"), label("instance", "laptop"), label("job", "assay")} {
		series = protowire.AppendBytes(protowire.AppendTag(series, 1, protowire.BytesType), l)
	}
	sample := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), math.Float64bits(3))
	sample = protowire.AppendVarint(protowire.AppendTag(sample, 2, protowire.VarintType), 1795575600123)
	series = protowire.AppendBytes(protowire.AppendTag(series, 2, protowire.BytesType), sample)
	if want := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), series); string(raw) != string(want) {
		t.Errorf("got  %x\nwant %x", raw, want)
	}
}

// Temporary failures are retried, refusals are not, and a redirect does not carry the
// token elsewhere. Only the beginning of an answer is shown.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		statuses []int
		requests int
		err      string
	}{
		"busy":       {[]int{http.StatusServiceUnavailable}, 2, ""},
		"refused":    {[]int{http.StatusUnauthorized}, 1, "401"},
		"redirected": {[]int{http.StatusTemporaryRedirect}, 1, "307"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &receiver{statuses: c.statuses, answer: strings.Repeat("x", 1<<20)}
			server := httptest.NewServer(r)
			defer server.Close()
			err := client(t, server.URL).Send(t.Context(), samples, time.Now())
			if (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || len(err.Error()) > 1000) {
				t.Errorf("%.200v", err)
			}
			if len(r.requests) != c.requests || r.requests[0].URL.Path != "/api/v1/write" {
				t.Errorf("%d requests, want %d; the first to %s", len(r.requests), c.requests, r.requests[0].URL.Path)
			}
		})
	}
}

// Ctrl-C ends a push that is waiting to retry.
func TestAPushEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		cancel()
	}))
	defer server.Close()
	if err := client(t, server.URL).Send(ctx, samples, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// No address may contain a secret, and no error repeats one.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "prometheus:9090", "ftp://prometheus", "http://", "http://user:s3cret@prometheus:9090", "http://s3cret:%zz@prometheus", "http://prometheus\x00s3cret"} {
		if _, err := push.New(address, none, "laptop"); err == nil || assay.Hint(err) == "" || strings.Contains(fmt.Sprint(err, assay.Hint(err)), "s3cret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for address, want := range map[string]string{"http://prometheus:9090": "http://prometheus:9090/api/v1/write", "https://mimir/api/v1/push": "https://mimir/api/v1/push"} {
		if got := client(t, address).Address(); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
}
