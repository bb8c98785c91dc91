package stopped

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/stacks/failover"
)

const id = "0123456789abcdef"

// world is a host as a volume sees it; lab/failover has real ones.
type world struct {
	name    string
	running bool
	stuck   bool // it does not start
	unfit   string
	asked   []string
}

func (w *world) Host() assay.Host { return assay.Host{Name: w.name} }
func (w *world) Close() error     { return nil }

func (w *world) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	w.asked = append(w.asked, c.Argv[2])
	switch {
	case strings.Contains(c.Argv[2], "test -w /run"):
		if w.unfit != "" {
			return assay.Output{Exit: 1, Stderr: []byte(w.unfit)}, nil
		}
	case c.Argv[2] == "systemctl is-active -q 'keepalived'":
		if !w.running {
			return assay.Output{Exit: 3}, nil
		}
	case strings.Contains(c.Argv[2], "undo DIR START RUNNING"):
		if w.stuck {
			return assay.Output{Exit: 1, Stderr: []byte("it does not run\n")}, nil
		}
		if dir := c.Argv[4]; dir != "/run/assay-failover-"+id {
			return assay.Output{}, errors.New("undone in " + dir)
		}
		w.running = true
		return assay.Output{Stdout: []byte("back\n")}, nil
	default:
		return assay.Output{}, errors.New("unknown command: " + c.Argv[2])
	}
	return assay.Output{}, nil
}

func entry() failover.Entry {
	return failover.Entry{Name: "vip", Host: "pve1", Service: "keepalived", Address: "10.0.0.9", Observers: []string{"pve2", "pve3"}}
}

func subject(e failover.Entry) assay.Subject {
	return assay.Subject{ID: "pve1/failover/vip", Kind: assay.KindFailover, Host: "pve1", Name: "vip", Volume: Kind, Params: e.Confirmed()}
}

func lent(t *testing.T, w *world) assay.Receipt {
	t.Helper()
	r, err := New().Reserve(t.Context(), w, subject(entry()), assay.Request{ID: id, Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !r.SettingAlone() || r.Host != "pve1" {
		t.Errorf("the receipt %+v", r)
	}
	s, err := New().Lend(t.Context(), w, r)
	if err != nil || s.Dir != "/run/assay-failover-"+id || s.Bytes == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	return r
}

func TestItIsPutBack(t *testing.T) {
	w := &world{name: "pve1", running: true}
	r := lent(t, w)
	w.running = false
	for range 2 { // it is idempotent
		if err := New().Release(t.Context(), w, r); err != nil || !w.running {
			t.Errorf("it runs: %t, %v", w.running, err)
		}
	}
	w.stuck = true
	if err := New().Release(t.Context(), w, r); err == nil || !strings.Contains(err.Error(), "keepalived is not back: it does not run") || assay.Hint(err) == "" {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}

// A host may be powered off and on by another one.
func TestAnotherHostCarriesItOut(t *testing.T) {
	victim, other := &world{name: "pve1"}, &world{name: "pve4", running: true}
	e := entry()
	e.By = "pve4"
	if _, err := New().Reserve(t.Context(), victim, subject(e), assay.Request{ID: id, Bytes: 1}); err == nil || !strings.Contains(err.Error(), "pve4") {
		t.Errorf("%v: want that pve4 is not reachable", err)
	}
	v := New().Among(map[string]assay.Place{"pve4": other, "pve1": victim})
	r, err := v.Reserve(t.Context(), victim, subject(e), assay.Request{ID: id, Bytes: 1})
	if err != nil || r.Host != "pve4" {
		t.Fatalf("%+v, %v", r, err)
	}
	other.running = false
	if err := v.Release(t.Context(), victim, r); err != nil || !other.running || len(victim.asked) > 0 {
		t.Errorf("it runs: %t, the host was asked %q, %v", other.running, victim.asked, err)
	}
}

// No receipt: what was never stopped must not be started.
func TestRefused(t *testing.T) {
	for says, change := range map[string]func(*world, *assay.Subject){
		"nobody confirmed it":           func(_ *world, s *assay.Subject) { s.Params = entry().Params() },
		"does not run on pve1":          func(w *world, _ *assay.Subject) { w.running = false },
		"nothing could put it back":     func(w *world, _ *assay.Subject) { w.unfit = "needs setsid" },
		"keepalived on pve2 is not sto": func(_ *world, s *assay.Subject) { s.Host = "pve2" },
		"not an entry of failover":      func(_ *world, s *assay.Subject) { s.Params = nil },
	} {
		w := &world{name: "pve1", running: true}
		s := subject(entry())
		change(w, &s)
		if r, err := New().Reserve(t.Context(), w, s, assay.Request{ID: id, Bytes: 1}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v, %v: want %s", r, err, says)
		}
	}
}

// Release runs the commands in a receipt, so it does not trust receipts.
func TestForgedReceipts(t *testing.T) {
	w := &world{name: "pve1", running: true}
	good := lent(t, w)
	for name, forge := range map[string]func(*assay.Receipt){
		"another service": func(r *assay.Receipt) {
			r.Names[roleEntry] = strings.Replace(r.Names[roleEntry], "keepalived", "ssh", 1)
		},
		"an option": func(r *assay.Receipt) {
			r.Names[roleEntry] = strings.Replace(r.Names[roleEntry], "keepalived", "-H", 1)
		},
		"another host":     func(r *assay.Receipt) { r.Host = "pve2" },
		"another kind":     func(r *assay.Receipt) { r.Volume = "moved" },
		"another id":       func(r *assay.Receipt) { r.ID = "../../etc" },
		"another setting":  func(r *assay.Receipt) { r.Restore[0].Name = "memory" },
		"nothing restored": func(r *assay.Receipt) { r.Restore = nil },
		"further hosts":    func(r *assay.Receipt) { r.Also = []string{"pve2"} },
		"more names":       func(r *assay.Receipt) { r.Names["dir"] = "/srv" },
		"no entry":         func(r *assay.Receipt) { r.Names[roleEntry] = "{" },
	} {
		forged := good
		forged.Names, forged.Restore = maps.Clone(good.Names), slices.Clone(good.Restore)
		forge(&forged)
		before := len(w.asked)
		if err := New().Release(t.Context(), w, forged); err == nil || len(w.asked) != before {
			t.Errorf("%s: released, %v", name, err)
		}
	}
}
