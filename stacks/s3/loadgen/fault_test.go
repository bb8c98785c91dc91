package loadgen_test

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/stacks/s3/loadgen"
	"assay/stacks/s3/s3proxy"
)

// TestAStallIsInTheTail sends 200 operations a second for three seconds through a proxy
// that stalls for two of them from the 200th on, so two thirds were due to start in the
// stall. Measured from the actual start, only as many as there are clients would have
// waited.
func TestAStallIsInTheTail(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	to := target([]string{p.URL}, k, "bucket")
	const clients = 4
	load := loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Get: 1}, Size: 1000, Concurrency: clients, Rate: 200, Duration: 3 * time.Second,
		Drain: 2 * time.Minute, Objects: 10}
	c := ready(t, to, load)
	var asked, waiting atomic.Int64
	over := make(chan struct{})
	stall := func(http.ResponseWriter, *http.Request) bool {
		if asked.Add(1) >= 200 {
			if waiting.Add(1) == clients { // nothing else is in flight
				time.AfterFunc(2*time.Second, func() { close(over) })
			}
			<-over
		}
		return false
	}
	p.Before.Store(&stall)
	r, err := c.Run(patience(t))
	if err != nil || r.Failures() > 0 {
		t.Fatal(err, r.Failures())
	}
	f := figure(t, r, loadgen.Get)
	if f.Ops != 600 || r.Unsent != 0 {
		t.Fatalf("%d operations, %d unsent", f.Ops, r.Unsent)
	}
	// Some 400 of 600 waited, up to two seconds: the 90th percentile waited for most
	// of the stall. A machine too slow for the rate adds to the wait.
	p90 := f.Latency.At(90)
	if longest := f.Latency.Max(); p90 < 1500*time.Millisecond || longest < 1900*time.Millisecond {
		t.Errorf("latency: 90 %% within %s, longest %s: the stall is not in the tail", p90, longest)
	}
	if wrong := f.Service.At(90); wrong > p90/2 {
		t.Errorf("from the actual start 90 %% are within %s, from the intended one within %s", wrong, p90)
	}
	if r.Delay.Max() < 1800*time.Millisecond {
		t.Errorf("operations began %s late at most", r.Delay.Max())
	}
	if len(f.Seconds) < 3 || !slices.ContainsFunc(f.Seconds, func(s loadgen.Second) bool { return s.Ops == 0 }) {
		t.Errorf("operations by the second: %+v", f.Seconds)
	}
}

// every returns a func that is true on each nth call.
func every(n int64) func(*http.Request) bool {
	var asked atomic.Int64
	return func(*http.Request) bool { return asked.Add(1)%n == 0 }
}

// TestClosedLoopGoesOnAfterAFault: failures are counted by class, with the
// store's message, and are in no latency.
func TestClosedLoopGoesOnAfterAFault(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	for _, c := range []struct {
		name    string
		op      loadgen.Op
		class   loadgen.Class
		says    string
		disturb func()
	}{
		{"503 SlowDown", loadgen.Put, loadgen.SlowDown, "Please reduce", func() { p.Refuse(every(3), 503, "SlowDown", "Please reduce your request rate.") }},
		{"503", loadgen.Get, loadgen.Unavailable, "503 ServiceUnavailable", func() { p.Refuse(every(3), 503, "ServiceUnavailable", "no quorum") }},
		{"507", loadgen.Put, loadgen.DiskFull, "507", func() {
			p.Refuse(every(3), 507, "XMinioStorageFull", "Storage backend has reached its minimum free drive threshold.")
		}},
		{"a flipped bit", loadgen.Get, loadgen.Corrupt, "CRC-32", func() {
			n := every(3)
			p.OnObjects(func(b io.ReadCloser) io.ReadCloser {
				if n(nil) {
					return &s3proxy.Spoiled{ReadCloser: b, At: 54_321, Flip: true}
				}
				return b
			})
		}},
		{"a truncated body", loadgen.Get, loadgen.Truncated, "54321 of 100000", func() {
			n := every(3)
			p.OnObjects(func(b io.ReadCloser) io.ReadCloser {
				if n(nil) {
					return &s3proxy.Spoiled{ReadCloser: b, At: 54_321}
				}
				return b
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.MendAll()
			client := ready(t, target([]string{p.URL}, k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{c.op: 1}, Size: 100_000,
				Concurrency: 1, Duration: time.Minute, Limit: 30, Objects: 3})
			c.disturb()
			r, err := client.Run(patience(t))
			if err != nil {
				t.Fatal(err)
			}
			f := figure(t, r, c.op)
			if f.Ops != 20 || len(f.Errors) != 1 || f.Errors[0].Count != 10 || f.Errors[0].Class != c.class {
				t.Fatalf("%d succeeded, failed: %+v", f.Ops, f.Errors)
			}
			if f.Latency.Count() != 20 || f.Failed.Count() != 10 {
				t.Errorf("%d latencies of successes, %d of failures", f.Latency.Count(), f.Failed.Count())
			}
			if text := f.Errors[0].Example; !strings.Contains(text, c.says) || !strings.Contains(text, c.class.Says()) {
				t.Errorf("it says %q", text)
			}
		})
	}
}

// TestConnectionsThatBreak: a store may close a connection between two requests,
// and the next request is sent again on another one. Closing a new connection is
// a failure.
func TestConnectionsThatBreak(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	c := ready(t, target([]string{p.URL}, k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Head: 1}, Size: 1000,
		Concurrency: 1, Duration: time.Minute, Limit: 30, Objects: 3})
	for n, want := range map[int64]struct{ good, reconnects int64 }{3: {30, 14}, 1: {0, 0}} {
		which := every(n)
		abort := func(_ http.ResponseWriter, r *http.Request) bool {
			if which(r) {
				panic(http.ErrAbortHandler)
			}
			return false
		}
		p.Before.Store(&abort)
		r, err := c.Run(patience(t))
		if err != nil {
			t.Fatal(err)
		}
		f := figure(t, r, loadgen.Head)
		if f.Ops != want.good || r.Clients[0].Reconnects != want.reconnects {
			t.Errorf("each %d. breaks: %d of 30 succeeded with %d reconnects: %+v", n, f.Ops, r.Clients[0].Reconnects, f.Errors)
		}
		if n == 1 && (len(f.Errors) != 1 || f.Errors[0].Class != loadgen.Reset || f.Errors[0].Count != 30) {
			t.Errorf("all break: %+v", f.Errors)
		}
	}
}

// late is the delay of a slow store: a busy client sees bytes late, but not that
// late.
const late = 700 * time.Millisecond

// TestASlowStoreIsSeenInTheFirstByte tells waiting for the store from data
// transfer.
func TestASlowStoreIsSeenInTheFirstByte(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	c := ready(t, target([]string{p.URL}, k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Get: 1}, Size: 10_000, Concurrency: 1,
		Duration: time.Minute, Limit: 3, Objects: 1})
	wait := func(http.ResponseWriter, *http.Request) bool { time.Sleep(late); return false }
	p.Before.Store(&wait)
	r, err := c.Run(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	if f := figure(t, r, loadgen.Get); f.Ops != 3 || f.First.Min() < late {
		t.Errorf("first byte after %s", f.First.Min())
	}
	// A trickling body: the first byte is early, the last is late.
	p.MendAll()
	p.OnObjects(func(b io.ReadCloser) io.ReadCloser { return &trickle{ReadCloser: b} })
	if r, err = c.Run(patience(t)); err != nil {
		t.Fatal(err)
	}
	if f := figure(t, r, loadgen.Get); f.Ops != 3 || f.Latency.Min() < late || f.First.Min() > f.Latency.Min()-late/10 {
		t.Errorf("first byte after %s, the last after %s", f.First.Min(), f.Latency.Min())
	}
}

// trickle returns a body in two halves, the second one late.
type trickle struct {
	io.ReadCloser
	reads int
}

func (s *trickle) Read(b []byte) (int, error) {
	s.reads++
	if s.reads == 2 {
		time.Sleep(late)
	}
	return s.ReadCloser.Read(b[:min(len(b), 5000)])
}

// TestTimeout gives up on a store that is silent for longer than the timeout.
func TestTimeout(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	c := opened(t, target([]string{p.URL}, k, "bucket", func(t *loadgen.Target) { t.Timeout = time.Second }),
		loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1000, Concurrency: 1, Duration: time.Minute, Limit: 1})
	p.Stall(time.Now(), time.Now().Add(time.Hour))
	r, err := c.Run(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	if f := figure(t, r, loadgen.Put); f.Ops != 0 || f.Errors[0].Class != loadgen.Timeout || f.Failed.Max() > time.Minute {
		t.Errorf("%+v", f.Errors)
	}
}

// TestWhatCouldNotBeginIsCounted: one of 20 operations waits for its timeout, and
// then it is too late for the others. They are in the latencies, with the time
// they had waited.
func TestWhatCouldNotBeginIsCounted(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	c := opened(t, target([]string{p.URL}, k, "bucket", func(t *loadgen.Target) { t.Timeout = 2 * time.Second }),
		loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1000, Concurrency: 1, Rate: 20, Duration: time.Second, Drain: time.Millisecond})
	p.Stall(time.Now(), time.Now().Add(time.Hour))
	r, err := c.Run(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	f := figure(t, r, loadgen.Put)
	if f.Ops != 0 || r.Failures() != 1 || r.Unsent != 19 || f.Latency.Count() != 19 || f.Latency.Min() < time.Second {
		t.Errorf("%d done, %d failed, %d unsent with %d latencies from %s", f.Ops, r.Failures(), r.Unsent, f.Latency.Count(), f.Latency.Min())
	}
}

// TestWhatNoLaterRequestCanMend ends a load before it begins, with a reason.
func TestWhatNoLaterRequestCanMend(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	secure := s3proxy.New(t, l.Endpoints()[0], true)
	page := newPage(t)
	for _, c := range []struct {
		class  loadgen.Class
		says   string
		change func(*loadgen.Target)
	}{
		{loadgen.WrongRegion, "expected: '", func(t *loadgen.Target) { t.Region = "mars-1" }},
		{loadgen.Denied, "No such key", func(t *loadgen.Target) { t.Credentials.AccessKey = "GK000000000000000000000000" }},
		{loadgen.Signature, "", func(t *loadgen.Target) { t.Credentials.SecretKey = strings.Repeat("0", 64) }},
		{loadgen.NoBucket, "NoSuchBucket", func(t *loadgen.Target) { t.Bucket = "another" }},
		{loadgen.TLS, "certificate", func(t *loadgen.Target) { t.Endpoints = []string{secure.URL} }},
		{loadgen.Refused, "refused", func(t *loadgen.Target) { t.Endpoints = []string{"http://127.0.0.1:1"} }},
		{loadgen.NotS3, "", func(t *loadgen.Target) { t.Endpoints = []string{page} }},
		{loadgen.NotS3, "", func(t *loadgen.Target) { t.Endpoints = []string{strings.Replace(page, "http:", "https:", 1)} }},
	} {
		name := fmt.Sprintf("%s %s", c.class, c.says)
		to := target(l.Endpoints(), k, "bucket", c.change)
		client, err := loadgen.New(to, loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 1, Concurrency: 1, Duration: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		err = client.Prepare(patience(t))
		var f *loadgen.Failure
		if !errors.As(err, &f) || f.Class != c.class || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.class.Says()) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), to.Credentials.SecretKey) || c.class.Hint() == "") {
			t.Errorf("%s: %v (hint: %s)", name, err, c.class.Hint())
		}
	}
	// The same with the CA given, and unsigned bodies.
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	r := clean(t, target([]string{secure.URL}, k, "bucket", func(t *loadgen.Target) { t.CA = ca }),
		loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1, loadgen.Get: 1}, Size: 300_000, Concurrency: 2, Duration: time.Minute, Limit: 20, Objects: 2})
	if r.Payload != loadgen.Unsigned || r.Clients[0].Connections > 4 {
		t.Errorf("bodies were %s over %d connections", r.Payload, r.Clients[0].Connections)
	}
}

// newPage starts a web server that does not speak S3.
func newPage(t *testing.T) string {
	p := s3proxy.New(t, "http://127.0.0.1:1", false)
	hello := func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = io.WriteString(w, "<html>hello")
		return true
	}
	p.Before.Store(&hello)
	return p.URL
}

// TestAKeyThatIsTakenAwayEndsTheLoad in the middle, and what was measured is
// kept.
func TestAKeyThatIsTakenAwayEndsTheLoad(t *testing.T) {
	l := garagetest.Up(t, garage.Options{Nodes: 1, Replication: 1})
	k := garagetest.Bucket(t, l, "bucket")
	p := s3proxy.New(t, l.Endpoints()[0], false)
	c := ready(t, target([]string{p.URL}, k, "bucket"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: 10, Concurrency: 2, Duration: time.Hour})
	seen := make(chan struct{}, 50)
	tell := func(http.ResponseWriter, *http.Request) bool {
		select {
		case seen <- struct{}{}:
		default:
		}
		return false
	}
	p.Before.Store(&tell)
	go func() {
		for range cap(seen) {
			<-seen
		}
		_ = l.DeleteKey(t.Context(), k)
	}()
	r, err := c.Run(patience(t))
	var f *loadgen.Failure
	if !errors.As(err, &f) || f.Class != loadgen.Denied {
		t.Fatal(err)
	}
	if f := figure(t, r, loadgen.Put); f.Ops < 20 || r.Stopped != loadgen.Denied.Says() {
		t.Errorf("%d operations, stopped: %q", f.Ops, r.Stopped)
	}
}
