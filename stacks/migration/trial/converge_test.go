package trial

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/setting"
	"assay/stacks/migration"
)

// leaving is a host that a guest of 256 MiB leaves: sent is how much each look reports in MiB,
// and the migration is still running at the last.
type leaving struct {
	sent    []int
	disks   []int // of 48 MiB, if any
	seen    func()
	looked  int
	aborted bool
	over    func() // called by the look after the last one
}

func (*leaving) Host() assay.Host { return assay.Host{Name: "kvm1"} }
func (*leaving) Close() error     { return nil }

func (l *leaving) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[4] == "domjobabort" {
		l.aborted = true
		return assay.Output{}, nil
	}
	if l.looked == len(l.sent) {
		l.over()
		return assay.Output{Stdout: []byte("Job type:         None        \n")}, nil
	}
	text := fmt.Sprintf("Job type:         Unbounded   \nOperation:        Outgoing migration\nTime elapsed:     %d         ms\nMemory processed: %d.000 MiB\n"+
		"Memory total:     256.375 MiB\nMemory bandwidth: 112.000 MiB/s\nDirty rate:       33536        pages/s\nPage size:        4096         bytes\n", 20000*(l.looked+1), l.sent[l.looked])
	if l.disks != nil {
		text += fmt.Sprintf("File processed:   %d.000 MiB\nFile remaining:   %d.000 MiB\nFile total:       48.000 MiB\n", l.disks[l.looked], 48-l.disks[l.looked])
	}
	l.looked++
	if l.seen != nil {
		l.seen()
	}
	return assay.Output{Stdout: []byte(text)}, nil
}

// A migration that sends the guest's memory over and over is aborted with a reason; one that
// merely takes long is not.
func TestGiveUp(t *testing.T) {
	m := migration.Move{Guest: "web"}
	for name, c := range map[string]struct {
		sent  []int
		wants string
	}{
		"it converges":         {[]int{100, 200, 300, 1200}, ""},
		"it does not converge": {[]int{100, 1300, 1300}, "the migration of domain web does not converge: the guest changes 137 MB/s of its memory, as the hypervisor counts, and 117 MB/s are sent"},
	} {
		ctx, over := context.WithCancel(t.Context())
		l := &leaving{sent: c.sent, over: over}
		err := (&follower{h: m.Hypervisor(), m: m, from: l, every: time.Microsecond}).follow(ctx)
		over()
		if (err != nil) != (c.wants != "") || l.aborted != (err != nil) || err != nil && !strings.Contains(err.Error(), c.wants) {
			t.Errorf("%s: %v, ended: %t", name, err, l.aborted)
		}
	}
}

// Until the disks are fully sent, progress is polled more often.
func TestFollowDisks(t *testing.T) {
	ctx, over := context.WithCancel(t.Context())
	l := &leaving{sent: []int{1, 2}, disks: []int{20, 48}, over: over}
	m := migration.Move{Guest: "web", Copied: "vda"}
	f := &follower{h: m.Hypervisor(), m: m, from: l, every: time.Hour, copies: time.Microsecond}
	for f.copied == nil && ctx.Err() == nil {
		looked, stop := context.WithCancel(ctx)
		l.seen = func() {
			if l.looked == 2 {
				stop()
			}
		}
		if err := f.follow(looked); err != nil {
			t.Fatal(err)
		}
	}
	if f.copied == nil || l.looked != 2 {
		t.Fatalf("%+v after %d looks", f.copied, l.looked)
	}
	if r, ok := migration.ReadProgress(f.copied.Output.Stdout); !ok || !r.Copied() || f.copied.Name != StepCopied {
		t.Errorf("%+v", f.copied)
	}
}

func TestSettings(t *testing.T) {
	if s, err := readSettings(setting.Of("c", map[string]string{"way": Back, "load": "yes"})); err != nil || s != (settings{Back, true}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []map[string]string{nil, {"way": "up"}, {"way": There, "load": "64M"}, {"way": There, "x": "y"}} {
		if _, err := readSettings(setting.Of("c", bad)); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// Trials under load include only guests that have one, and their settings say how
// much.
func TestTrialsUnderLoad(t *testing.T) {
	m := migration.Move{Guest: "web", Home: migration.End{Host: "kvm1", Address: "192.0.2.1"}, Away: migration.End{Host: "kvm2", Address: "192.0.2.2"}, Transport: "ssh", Address: "192.0.2.9"}
	inv := assay.Inventory{Facts: map[string]assay.Facts{"kvm1": {}, "kvm2": {}}}
	for i, load := range []int64{0, 64 << 20} {
		m.Load = load
		inv.Subjects = append(inv.Subjects, assay.Subject{ID: fmt.Sprint("g", i), Kind: assay.KindGuest, Host: "kvm1", Peer: "kvm2", Params: m.Params()})
	}
	for load, want := range map[string]int{"": 2, "yes": 1} {
		set := map[string]string{"way": There}
		if load != "" {
			set["load"] = load
		}
		trials, err := (Probe{"virsh", migration.Libvirt}).Trials(inv, assay.Case{Name: "c", On: assay.KindGuest, Set: set})
		if err != nil || len(trials) != want {
			t.Fatalf("%q: %+v, %v", load, trials, err)
		}
		last := trials[len(trials)-1].Settings
		if wants := map[string]string{"": "", "yes": "67108864"}[load]; last["load"] != wants {
			t.Errorf("%q: %v", load, last)
		}
	}
}
