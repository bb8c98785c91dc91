package tierfaults

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/lab/internal/laptop"
	"assay/stacks/s3/s3proxy"
)

// storeOff has nothing listening where the store should be: the row says so, and
// the other tier is unaffected.
func storeOff(t *testing.T, b *bed) {
	l := b.laptop(t, sd, b.s3("node2", "", "http://"+b.free(t)))
	o := measure(l, medium, 3, both).end()
	o.expectExit(partial)
	o.expectFigures("sd")
	o.expectAway("store", "connection refused")
	l.ExpectEmpty()
}

// free returns an address that pods can reach and nobody listens on.
func (b *bed) free(t *testing.T) string {
	t.Helper()
	at, err := net.Listen("tcp", net.JoinHostPort(b.Kube.Machine(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	return at.Addr().String()
}

// wrongToken has the Garage refuse the admin token.
func wrongToken(t *testing.T, b *bed) {
	const token = "it-is-not-the-one"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := b.laptop(t, sd, b.s3("node2", file))
	o := measure(l, medium, 3, both).end()
	o.expectExit(partial)
	o.expectFigures("sd")
	o.expectAway("store", "rejects the token")
	for what, text := range map[string]string{"output": o.Stdout, "errors": o.Said} {
		if strings.Contains(text, token) {
			t.Errorf("the token stands in the %s", what)
		}
	}
	// With a rejected token nothing was created: there is nothing to look for.
	l.ExpectEmpty()
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// corrupt flips one bit of every object on its way back: GET has no figure, and
// PUT's stands.
func corrupt(t *testing.T, b *bed) {
	proxy := s3proxy.New(t, b.Garage.Endpoints()[0], false)
	l := b.laptop(t, b.s3("node2", "", "http://"+b.expose(t, proxy.Listener.Addr().String()).at))
	m := measure(l, medium, 3, "put-1k,get-1k")
	m.awaitEvent("begin", "store") // not earlier: the bucket itself is tried before
	proxy.OnObjects(func(body io.ReadCloser) io.ReadCloser { return &s3proxy.Spoiled{ReadCloser: body, At: 500, Flip: true} })
	o := m.end()
	o.expectExit(partial)
	for _, r := range laptop.RowsOf(o.doc, "", "store") {
		switch get := strings.Contains(r.Trial, "get-1k"); {
		case get && (r.Absent == nil || !strings.Contains(r.Absent.Why, "data read differs from data written")):
			t.Errorf("%s is absent for %+v", r.Trial, r.Absent)
		case !get && !laptop.Measured(r):
			t.Errorf("%s has no figure: %+v", r.Trial, r.Absent)
		}
	}
	l.ExpectEmpty()
}

// door is an address that pods can reach and that leads to one of this
// machine's own.
type door struct {
	at, behind string
	mu         sync.Mutex
	open       []io.Closer
}

// expose opens a door.
func (b *bed) expose(t *testing.T, address string) *door {
	t.Helper()
	d := &door{at: net.JoinHostPort(b.Kube.Machine(), "0"), behind: address}
	d.unlock(t)
	t.Cleanup(d.lock)
	return d
}

// unlock reopens a closed door at the same address.
func (d *door) unlock(t *testing.T) {
	t.Helper()
	at, err := net.Listen("tcp", d.at)
	if err != nil {
		t.Fatal(err)
	}
	d.at = at.Addr().String()
	d.keep(at)
	go func() {
		for {
			from, err := at.Accept()
			if err != nil {
				return
			}
			d.keep(from)
			go d.carry(from)
		}
	}()
}

func (d *door) keep(c io.Closer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = append(d.open, c)
}

// lock closes it, and cuts its connections.
func (d *door) lock() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.open {
		_ = c.Close()
	}
	d.open = nil
}

func (d *door) carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", d.behind)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
}

// storeGoesAway cuts the path to the store mid-run: the other tier's figure stands,
// and the bucket is removed once the store is reachable again.
func storeGoesAway(t *testing.T, b *bed) {
	way := b.expose(t, strings.TrimPrefix(b.Garage.Endpoints()[0], "http://"))
	l := b.laptop(t, sd, b.s3("node2", "", "http://"+way.at))
	m := measure(l, aWhile, 6, both)
	m.awaitEvent("prepare", "store")
	m.awaitRepeats("sd", 1)
	way.lock()
	o := m.end()
	o.expectExit(failed) // the bucket is left
	o.expectFigures("sd")
	expectSaid(t, o.Result, "remove bucket assay-", "connection refused", "note: left behind", "(store)", "hint: remove with: assay cleanup -i "+l.File)
	way.unlock(t)
	expectCleanup(l, fine, "-i", l.File)
	l.ExpectEmpty()
}
