package moved

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/stacks/migration"
)

const (
	id   = "0123456789abcdef"
	home = "kvm1"
	away = "kvm2"
)

// world is two hypervisors kept as tables that virsh commands change, with the wording of
// libvirt 9.0.0. lab/migration has the real ones.
type world struct {
	states    map[string]string // of the guest, by host
	jobs      map[string]string // Outgoing migration
	autostart map[string]bool
	transient bool
	meminfo   string
	cut       bool // the daemons cannot reach each other
	hopeless  bool // nothing is worth waiting for
	busy      int  // how often to refuse a migration
	asked     []string
	disk      string // its file, if the hosts share no disks
	copied    string // id of the copy made away by copies.sh
	open      bool   // somebody has the copy open
	// meanwhile is called before each command.
	meanwhile func(host, command string)
}

func newWorld() *world {
	return &world{states: map[string]string{home: migration.Running}, jobs: map[string]string{}, autostart: map[string]bool{home: true}, meminfo: "MemAvailable:    4000000 kB\n"}
}

// atOnce counts a guest as stuck when the second look sees what the first saw, however fast
// this machine is.
const atOnce = -1

func (w *world) volume() assay.Volume {
	v := New()
	v.pause = time.Millisecond
	if w.hopeless {
		v.stuck = atOnce
	}
	return v.Among(map[string]assay.Place{home: at{w, home}, away: at{w, away}})
}

// at is one of these hosts.
type at struct {
	world *world
	name  string
}

func (a at) Host() assay.Host { return assay.Host{Name: a.name} }
func (a at) Close() error     { return nil }

func (a at) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	w := a.world
	said := func(text string) (assay.Output, error) { return assay.Output{Stdout: []byte(text)}, nil }
	failed := func(text string) (assay.Output, error) {
		return assay.Output{Stderr: []byte("error: " + text + "\n"), Exit: 1}, nil
	}
	if c.Argv[0] == "cat" {
		return said(w.meminfo)
	}
	if c.Argv[0] == "sh" {
		return w.copies(a.name, c.Argv[4], c.Argv[5])
	}
	command := strings.Join(c.Argv[4:], " ")
	w.asked = append(w.asked, a.name+": "+command)
	if w.meanwhile != nil {
		w.meanwhile(a.name, command)
	}
	state, there := w.states[a.name]
	word := c.Argv[4]
	if word == "hostname" {
		if w.cut {
			return failed("failed to connect to the hypervisor\nerror: unable to connect to server at '192.0.2.2:16509': Connection refused")
		}
		return said("kvm\n")
	}
	if !there {
		return failed("failed to get domain 'web'")
	}
	switch word {
	case "domstate":
		return said(state + "\n\n")
	case "dominfo":
		return said(fmt.Sprintf("Id:             1\nName:           web\nState:          %s\nMax memory:     262144 KiB\nUsed memory:    262144 KiB\nPersistent:     %s\nAutostart:      %s\n",
			state, map[bool]string{false: "yes", true: "no"}[w.transient], map[bool]string{false: "disable", true: "enable"}[w.autostart[a.name]]))
	case "dumpxml":
		return said("<domain><devices><disk type='file' device='disk'><driver type='raw'/><source file='" + w.disk + "'/><target dev='vda'/></disk></devices></domain>\n")
	case "domblkinfo":
		return said("Capacity:       1048576\nAllocation:     4096\nPhysical:       4096\n")
	case "domjobinfo":
		if w.jobs[a.name] == migration.Arriving {
			return failed("Operation not supported: migration statistics are available only on the source host")
		}
		if job := w.jobs[a.name]; job != "" {
			return said("Job type:         Unbounded   \nOperation:        " + job + "\nTime elapsed:     812          ms\n")
		}
		return said("Job type:         None        \n\n")
	case "domjobabort":
		if w.jobs[a.name] == "" {
			return failed("Requested operation is not valid: no job is active on the domain")
		}
		maps.DeleteFunc(w.jobs, func(string, string) bool { return true })
		delete(w.states, map[string]string{home: away, away: home}[a.name])
		return said("")
	case "autostart":
		w.autostart[a.name] = true
		return said("Domain 'web' marked as autostarted\n")
	case "migrate":
		if w.busy > 0 {
			w.busy--
			return failed("Timed out during operation: cannot acquire state change lock")
		}
		to := map[string]string{home: away, away: home}[a.name]
		if (w.disk != "") != strings.Contains(command, "--copy-storage-all --migrate-disks vda ") {
			return failed("Operation not supported: migration without shared storage is unsafe")
		}
		if (state == migration.Off) != slices.Contains(c.Argv, "--offline") {
			return failed("Requested operation is not valid: domain is not running")
		}
		w.states[to] = state
		delete(w.states, a.name)
		delete(w.autostart, a.name) // libvirt drops it with the definition
		return said("")
	}
	return failed("unknown command: '" + word + "'")
}

func subject() assay.Subject {
	m := migration.Move{Guest: "web", Home: migration.End{Host: home, Address: "192.0.2.1"}, Away: migration.End{Host: away, Address: "192.0.2.2"}, Transport: "ssh"}
	return assay.Subject{ID: "kvm1/guest/web", Kind: assay.KindGuest, Host: home, Name: "web", Peer: away, Volume: Kind, Params: m.Params()}
}

func lent(t *testing.T, w *world) assay.Receipt {
	t.Helper()
	r, err := w.volume().Reserve(t.Context(), at{w, home}, subject(), assay.Request{ID: id, Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !r.SettingAlone() || !slices.Equal(r.Also, []string{away}) {
		t.Errorf("the receipt %+v", r)
	}
	if _, err := w.volume().Lend(t.Context(), at{w, home}, r); err != nil {
		t.Fatal(err)
	}
	for _, asked := range w.asked {
		if strings.Contains(asked, ": migrate") {
			t.Errorf("lending did this: %s", asked)
		}
	}
	return r
}

// Wherever a killed run left the guest, it comes home and starts with its host again.
func TestItComesHome(t *testing.T) {
	for name, left := range map[string]func(*world){
		"it never left":   func(*world) {},
		"it is away":      func(w *world) { w.states = map[string]string{away: migration.Running}; w.autostart = map[string]bool{} },
		"it is off, away": func(w *world) { w.states = map[string]string{away: migration.Off}; w.autostart = map[string]bool{} },
		"it is off, home": func(w *world) { w.states = map[string]string{home: migration.Off} },
		"home has it too": func(w *world) { w.states = map[string]string{home: migration.Off, away: migration.Running} },
		"it is leaving": func(w *world) {
			w.states[away] = "paused"
			w.jobs = map[string]string{home: migration.Leaving, away: migration.Arriving}
		},
		"it is refused": func(w *world) { w.states = map[string]string{away: migration.Running}; w.busy = 3 },
		"somebody else does something with it": func(w *world) {
			w.jobs = map[string]string{home: "Backup"}
			n := 0
			w.meanwhile = func(string, string) {
				if n++; n > 20 {
					w.jobs = map[string]string{}
				}
			}
		},
		"it is coming back": func(w *world) {
			w.states = map[string]string{home: "paused", away: migration.Running}
			w.jobs = map[string]string{home: migration.Arriving, away: migration.Leaving}
			n := 0
			w.meanwhile = func(string, string) {
				if n++; n > 20 {
					w.states, w.jobs = map[string]string{home: migration.Running}, map[string]string{}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			r := lent(t, w)
			left(w)
			state := "running"
			if strings.Contains(name, "is off") {
				state = migration.Off
			}
			for range 2 { // it is idempotent
				if err := w.volume().Release(t.Context(), at{w, home}, r); err != nil {
					t.Fatal(err)
				}
				if want := map[string]string{home: state}; !maps.Equal(w.states, want) || !w.autostart[home] {
					t.Errorf("it is %v, and starts with %v", w.states, w.autostart)
				}
			}
		})
	}
}

// A definition left behind away is not a guest to fetch.
func TestWhatIsDoneNext(t *testing.T) {
	for _, c := range []struct {
		sight
		want step
	}{
		{sight{homeState: "running", awayState: migration.Off}, done},
		{sight{homeState: migration.Off, awayState: migration.Off}, done},
		{sight{homeState: "paused"}, done},
		{sight{homeState: "running", homeJob: migration.Leaving, awayState: "paused", awayJob: migration.Arriving}, abort},
		{sight{homeState: "running", awayState: "paused"}, wait},
		{sight{awayState: "running", awayJob: migration.Leaving}, wait},
		{sight{awayState: "running"}, fetch},
		{sight{awayState: migration.Off}, fetchOff},
		{sight{}, lost},
	} {
		if got := c.next(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.sight, got, c.want)
		}
	}
}

// A guest that cannot be brought home is an error that says where it is.
func TestItCannotComeHome(t *testing.T) {
	for says, left := range map[string]func(*world){
		"neither kvm1 nor kvm2 has":             func(w *world) { w.states = nil },
		"on kvm1 it is absent, on kvm2 running": func(w *world) { w.states = map[string]string{away: migration.Running}; w.busy = 1 << 30 },
		"on kvm1 it is paused, on kvm2 running": func(w *world) { w.states = map[string]string{home: "paused", away: migration.Running} },
	} {
		w := newWorld()
		r := lent(t, w)
		left(w)
		w.hopeless = true
		if err := w.volume().Release(t.Context(), at{w, home}, r); err == nil || !strings.Contains(err.Error(), says) || assay.Hint(err) == "" {
			t.Errorf("%v (%s), want %s", err, assay.Hint(err), says)
		}
	}
	w := newWorld()
	r := lent(t, w)
	if err := New().Release(t.Context(), at{w, home}, r); err == nil || !strings.Contains(err.Error(), "host kvm2") {
		t.Errorf("%v: want that kvm2 is not reachable", err)
	}
}

func TestRefused(t *testing.T) {
	for says, c := range map[string]struct {
		is    error
		world func(*world)
	}{
		"kvm1 has no domain web":              {assay.ErrNotFound, func(w *world) { w.states = nil }},
		"is shut off; only a guest":           {nil, func(w *world) { w.states[home] = migration.Off }},
		"is paused; only a guest":             {nil, func(w *world) { w.states[home] = "paused" }},
		"is transient":                        {nil, func(w *world) { w.transient = true }},
		"kvm2 has a domain web of its own":    {assay.ErrBusy, func(w *world) { w.states[away] = migration.Off }},
		"kvm1 does not reach libvirt of kvm2": {assay.ErrHostGone, func(w *world) { w.cut = true }},
		"256 MiB of memory, and 97 MiB are":   {assay.ErrNoSpace, func(w *world) { w.meminfo = "MemTotal: 1 kB\nMemAvailable: 100000 kB\n" }},
	} {
		w := newWorld()
		c.world(w)
		v := w.volume()
		// No receipt: a guest that was never moved must not be brought home.
		_, err := v.Reserve(t.Context(), at{w, home}, subject(), assay.Request{ID: id, Bytes: 1})
		if err == nil || !strings.Contains(err.Error(), says) || assay.Hint(err) == "" || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v (%s), want %s", err, assay.Hint(err), says)
		}
	}
}

// Release moves the guest named by a receipt, so it does not trust receipts.
func TestForgedReceipts(t *testing.T) {
	w := newWorld()
	good := lent(t, w)
	if _, err := read(good); err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"an option":     func(r *assay.Receipt) { r.Names[roleMove] = strings.Replace(r.Names[roleMove], `"web"`, `"--all"`, 1) },
		"another guest": func(r *assay.Receipt) { r.Names[roleMove] = strings.Replace(r.Names[roleMove], `"web"`, `"db"`, 1) },
		"a shell's words": func(r *assay.Receipt) {
			r.Names[roleMove] = strings.Replace(r.Names[roleMove], "192.0.2.2", "192.0.2.2;reboot", 1)
		},
		"a path": func(r *assay.Receipt) {
			r.Names[roleMove] = strings.Replace(r.Names[roleMove], "192.0.2.2", "x/system?a=b", 1)
		},
		"another way":      func(r *assay.Receipt) { r.Names[roleMove] = strings.Replace(r.Names[roleMove], `"ssh"`, `"ext"`, 1) },
		"another home":     func(r *assay.Receipt) { r.Host = "kvm3" },
		"another host":     func(r *assay.Receipt) { r.Also = []string{"kvm3"} },
		"another kind":     func(r *assay.Receipt) { r.Volume = "rbd" },
		"another id":       func(r *assay.Receipt) { r.ID = "../../etc" },
		"another setting":  func(r *assay.Receipt) { r.Restore[0].Name = "memory" },
		"nothing restored": func(r *assay.Receipt) { r.Restore = nil },
		"more names":       func(r *assay.Receipt) { r.Names["dir"] = "/srv" },
		"no move":          func(r *assay.Receipt) { r.Names[roleMove] = "{" },
	} {
		forged := good
		forged.Names, forged.Restore, forged.Also = maps.Clone(good.Names), slices.Clone(good.Restore), slices.Clone(good.Also)
		forge(&forged)
		before := len(w.asked)
		if err := w.volume().Release(t.Context(), at{w, home}, forged); err == nil || len(w.asked) != before {
			t.Errorf("%s: released, %v", name, err)
		}
	}
}
