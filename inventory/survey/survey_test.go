package survey_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/internal/powershell"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/place/local"
)

// capture is a place that answers from captures.
type capture struct {
	name   string
	facts  []byte
	look   string
	err    error
	closed *sync.Map
	begin  func(ctx context.Context) error // before anything is answered
}

func (p *capture) Host() assay.Host { return assay.Host{Name: p.name} }
func (p *capture) Close() error     { p.closed.Store(p.name, true); return nil }
func (p *capture) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if p.begin != nil {
		if err := p.begin(ctx); err != nil {
			return assay.Output{}, err
		}
	}
	if p.err != nil {
		return assay.Output{}, p.err
	}
	out := assay.Output{Stderr: []byte("sh: odd")}
	if len(c.Argv) > 2 {
		out.Stdout = append(out.Stdout, p.facts...)
	}
	if strings.Contains(string(c.Stdin), "@@ assay-survey") {
		out.Stdout = append(out.Stdout, p.look...)
	}
	return out, nil
}

// windows is a place in a Windows guest.
type windows struct{ *capture }

func (windows) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }
func (w windows) Run(context.Context, assay.Cmd) (assay.Output, error) {
	out, err := powershell.Answer(json.RawMessage(w.facts))
	return assay.Output{Stdout: out}, err
}

// A Windows guest is queried for its facts, but not for what the Linux script prints beside
// them.
func TestAGuestOfWindows(t *testing.T) {
	facts, err := os.ReadFile("../testdata/windows/server2022.json")
	if err != nil {
		t.Fatal(err)
	}
	open := func(h cluster.Host) (assay.Place, error) {
		return windows{&capture{name: h.Name, facts: facts, closed: new(sync.Map)}}, nil
	}
	for _, mounts := range []bool{false, true} {
		a := survey.Ask(t.Context(), []cluster.Host{{Name: "win"}}, open, survey.Options{Mounts: mounts})
		if len(a) != 1 || a[0].Err != nil || a[0].Facts.OS.Kernel != "10.0.20348" {
			t.Fatalf("%+v", a)
		}
		for _, m := range a[0].Facts.Missing {
			if m.Hint == "install iproute2" {
				t.Errorf("%+v", m)
			}
		}
	}
}

const looked = "Welcome!\n@@ assay-survey 1\n@@ addresses\n 2: eth0    inet 10.0.0.7/24 brd 10.0.0.255 scope global eth0\n@@ mounts\n\n@@ end\n"

func firecracker(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("../../inventory/testdata/captures/firecracker.txt")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func hosts(names ...string) (all []cluster.Host) {
	for _, n := range names {
		all = append(all, cluster.Host{Name: n, Address: n})
	}
	return all
}

func TestAsk(t *testing.T) {
	var closed sync.Map
	facts := firecracker(t)
	refused := errors.New("host b: connection refused")
	answers := survey.Ask(context.Background(), hosts("a", "b", "c", "d", "e"), func(h cluster.Host) (assay.Place, error) {
		p := &capture{name: "recorded", facts: facts, look: looked, closed: &closed}
		switch h.Name {
		case "b":
			return nil, refused
		case "c":
			p.look = "This account is for rsync only.\n"
		case "d":
			p.look = strings.TrimSuffix(looked, "@@ end\n")
		case "e":
			p.look = "@@ assay-survey 1\n@@ mounts\n\n@@ end\n"
		}
		p.name = h.Name + "'s own name"
		return p, nil
	}, survey.Options{})
	if len(answers) != 5 {
		t.Fatalf("%d answers", len(answers))
	}
	a := answers[0]
	if a.Err != nil || a.Facts.Host != "a" || a.Facts.Device("vda") == nil || fmt.Sprint(a.Addresses) != "[{eth0 10.0.0.7/24}]" {
		t.Errorf("a: %v, %q, %v", a.Err, a.Facts.Host, a.Addresses)
	}
	for i, want := range map[int]string{1: "connection refused", 2: "unexpected reply", 3: "truncated"} {
		if err := answers[i].Err; err == nil || !strings.Contains(err.Error(), want) || answers[i].Facts.Host != "" {
			t.Errorf("%s: %v", answers[i].Host.Name, err)
		}
	}
	e := answers[4]
	if last := e.Facts.Missing[len(e.Facts.Missing)-1]; e.Err != nil || last.Fact != "addresses" || last.Hint == "" {
		t.Errorf("e: %v, %+v", e.Err, last)
	}
	for _, name := range []string{"a", "c", "d", "e"} {
		if _, ok := closed.Load(name + "'s own name"); !ok {
			t.Errorf("the place of %s was not closed", name)
		}
	}
}

// Each host answers only once all have been queried: a sequential survey would
// never end.
func TestAllAreAskedAtTheSameTime(t *testing.T) {
	var names []string
	for i := range 16 {
		names = append(names, fmt.Sprintf("h%d", i))
	}
	var closed sync.Map
	var all sync.WaitGroup
	all.Add(len(names))
	facts := firecracker(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	for _, a := range survey.Ask(ctx, hosts(names...), func(h cluster.Host) (assay.Place, error) {
		var once sync.Once
		return &capture{name: h.Name, facts: facts, look: looked, closed: &closed, begin: func(ctx context.Context) error {
			once.Do(all.Done)
			together := make(chan struct{})
			go func() { all.Wait(); close(together) }()
			select {
			case <-together:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}, nil
	}, survey.Options{}) {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
	}
}

func TestCancelled(t *testing.T) {
	var closed sync.Map
	ctx, cancel := context.WithCancel(context.Background())
	answers := survey.Ask(ctx, hosts("fast", "hangs"), func(h cluster.Host) (assay.Place, error) {
		p := &capture{name: h.Name, look: looked, facts: firecracker(t), closed: &closed}
		if h.Name == "hangs" {
			p.begin = func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }
		}
		return p, nil
	}, survey.Options{})
	if !errors.Is(answers[1].Err, context.Canceled) {
		t.Errorf("%v", answers[1].Err)
	}
}

// The script runs in every shell available and agrees with the kernel.
func TestThisMachine(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "busybox"} {
		t.Run(shell, func(t *testing.T) {
			before := interfaces(t)
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("there is no %s", shell)
			}
			a := survey.Ask(t.Context(), []cluster.Host{{Name: "here", Measure: cluster.Measure{Directories: []string{"/"}}}}, func(cluster.Host) (assay.Place, error) {
				return &otherShell{local.New("here", ""), shell}, nil
			}, survey.Options{Tools: []string{"sh"}, Mounts: true})[0]
			if a.Err != nil {
				t.Fatal(a.Err)
			}
			if a.Facts.OS.Kernel == "" || a.Facts.Tool("sh").Path == "" || a.Facts.Dir("/") == nil {
				t.Errorf("%+v", a.Facts)
			}
			for _, m := range a.Facts.Missing {
				if m.Fact == "addresses" {
					t.Skip("there is no ip here")
				}
			}
			after := interfaces(t)
			for _, ip := range a.Addresses {
				// Other interfaces may come and go meanwhile: other tests' labs create
				// theirs here.
				if before[ip.NIC] && after[ip.NIC] && survey.NIC(a.Facts, ip.NIC) == nil {
					t.Errorf("%s is on %s, which the facts do not know", ip.Prefix, ip.NIC)
				}
				if !ip.Prefix.Addr().IsGlobalUnicast() {
					t.Errorf("%s is not for others", ip.Prefix)
				}
			}
		})
	}
}

// interfaces returns the names of this machine's current interfaces.
func interfaces(t *testing.T) map[string]bool {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, one := range all {
		names[one.Name] = true
	}
	return names
}

// otherShell runs commands for sh with another shell.
type otherShell struct {
	assay.Place
	shell string
}

func (p *otherShell) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if p.shell == "busybox" {
		c.Argv = append([]string{"busybox"}, c.Argv...)
	} else {
		c.Argv = append([]string{p.shell}, c.Argv[1:]...)
	}
	return p.Place.Run(ctx, c)
}
