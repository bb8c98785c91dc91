package probetest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// Inventory returns a machine with one of everything, and a neighbour on one
// network, for probes' trials.
func Inventory() assay.Inventory {
	yes, no := true, false
	facts := assay.Facts{
		Host: "box", Root: true, DropCaches: true, IOUring: &yes, Packager: "apt",
		CPU: assay.CPUFacts{
			Model: "test", Cores: 4, Threads: 8, Virtual: &no,
			Caches: []assay.Cache{{Level: 2, Type: "Unified", Bytes: 1 << 20, Count: 4}, {Level: 3, Type: "Unified", Bytes: 16 << 20, Count: 1}},
		},
		Memory:  assay.MemoryFacts{Total: 32 << 30, Available: 24 << 30},
		Block:   []assay.BlockDevice{{Name: "nvme0n1", Path: "/dev/nvme0n1", Kind: "disk", Bytes: 512e9, Bus: assay.BusNVMe, Rotational: &no}},
		Dirs:    []assay.DirFacts{{Path: "/srv/a b", Mount: "/srv", FileSystem: "ext4", Device: "nvme0n1", Drives: []string{"nvme0n1"}, Bytes: 500e9, Free: 300e9, Writable: true, Exists: true}},
		Sensors: []assay.Sensor{{Key: "coretemp/Package", Path: "/sys/class/hwmon/hwmon0/temp1_input", Kind: "cpu"}},
		Tools: []assay.ToolFacts{
			{Name: "fio", Path: "/usr/bin/fio", Version: "fio-3.33"}, {Name: "sysbench", Path: "/usr/bin/sysbench", Version: "sysbench 1.0.20"},
			{Name: "smartctl", Path: "/usr/sbin/smartctl", Version: "smartctl 7.3"}, {Name: "dd", Path: "/usr/bin/dd", Version: "dd 9.1"},
			{Name: "iperf3", Path: "/usr/bin/iperf3", Version: "iperf 3.12 (cJSON 1.7.15)"},
			{Name: "ping", Path: "/usr/bin/ping"},
		},
	}
	neighbour := assay.Facts{Host: "neighbour", Tools: facts.Tools}
	subject := func(kind assay.SubjectKind, name string, on ...string) assay.Subject {
		return assay.Subject{ID: "box/" + string(kind) + "/" + name, Kind: kind, Host: "box", Name: name, On: on}
	}
	link := func(from, to string) assay.Subject {
		return assay.Subject{ID: from + "/link/storage:" + to, Kind: assay.KindLink, Host: from, Name: "storage:" + to, Peer: to, Network: "storage"}
	}
	bucket := subject(assay.KindBucket, "s3")
	bucket.Volume, bucket.Store = "bucket", &assay.ObjectStore{Name: "s3", Endpoints: []string{"http://192.0.2.3:3900"}}
	pool := subject(assay.KindPool, "vms")
	pool.Volume, pool.Params = "cephpool", map[string]string{"pool": "vms"}
	image := subject(assay.KindImage, "images")
	image.Volume, image.Params = "rbd", map[string]string{"pool": "vms"}
	block := subject(assay.KindBlock, "/dev/disk/by-id/nvme-X_S1", "box/drive/nvme0n1")
	block.Volume, block.Source, block.Params = "device", "/dev/nvme0n1", map[string]string{"serial": "S1"}
	guest := subject(assay.KindGuest, "web")
	guest.Volume, guest.Peer, guest.Network = "moved", "neighbour", "storage"
	guest.Params = map[string]string{
		"guest": "web", "home": "box", "home.address": "192.0.2.1", "away": "neighbour", "away.address": "192.0.2.2",
		"transport": "ssh", "address": "192.0.2.9", "load": "67108864",
	}
	vm := subject(assay.KindGuest, "mail")
	vm.Volume, vm.Peer, vm.Network, vm.Params = guest.Volume, guest.Peer, guest.Network, maps.Clone(guest.Params)
	vm.Params["kind"], vm.Params["guest"], vm.Params["transport"] = "proxmox", "101", "secure"
	stop := subject(assay.KindFailover, "vip")
	stop.Volume, stop.Params = "stopped", map[string]string{
		"failover": `{"name": "vip", "host": "box", "service": "keepalived", "address": "192.0.2.9", "observers": ["neighbour"]}`, "confirmed": "box",
	}
	directory := subject(assay.KindDirectory, "/srv/a b", "box/drive/nvme0n1")
	directory.Tier = "nas" // some suites measure only tiers
	return assay.Inventory{
		Hosts: []assay.Host{{Name: "box"}, {Name: "neighbour"}},
		Facts: map[string]assay.Facts{"box": facts, "neighbour": neighbour},
		Networks: []assay.Network{{
			Name: "storage", Rate: 10e9, MTU: 9000,
			Addresses: map[string]string{"box": "192.0.2.1", "neighbour": "192.0.2.2"}, // TEST-NET-1, RFC 5737
		}},
		Subjects: []assay.Subject{
			subject(assay.KindCPU, "cpu"), subject(assay.KindMemory, "memory"), subject(assay.KindThermal, "thermal"),
			subject(assay.KindDrive, "nvme0n1"), subject(assay.KindDevice, "/dev/nvme0n1", "box/drive/nvme0n1"),
			directory,
			link("box", "neighbour"), link("neighbour", "box"), bucket, pool, image, block, guest, vm, stop,
		},
	}
}

// Windows returns a Windows guest with a directory, for probes that measure such guests.
func Windows() assay.Inventory {
	const dir = `D:\a b`
	facts := assay.Facts{
		Host: "box", Root: true, OS: assay.OSFacts{Windows: true}, CPU: assay.CPUFacts{Model: "test", Cores: 4, Threads: 4},
		Memory: assay.MemoryFacts{Total: 8 << 30, Available: 6 << 30},
		Block:  []assay.BlockDevice{{Name: "PhysicalDrive1", Path: `\\.\PhysicalDrive1`, Kind: "disk", Bytes: 500e9}},
		Dirs:   []assay.DirFacts{{Path: dir, Mount: `D:\`, FileSystem: "ntfs", Device: "PhysicalDrive1", Drives: []string{"PhysicalDrive1"}, Bytes: 500e9, Free: 300e9, Writable: true, Exists: true}},
		Tools:  []assay.ToolFacts{{Name: "fio", Path: `C:\fio\fio.exe`, Version: "3.38"}, {Name: "diskspd", Path: `C:\diskspd.exe`, Version: "2.1"}},
	}
	return assay.Inventory{
		Hosts: []assay.Host{{Name: "box", OS: assay.Windows}},
		Facts: map[string]assay.Facts{"box": facts},
		Subjects: []assay.Subject{
			{ID: "box/directory/" + dir, Kind: assay.KindDirectory, Host: "box", Name: dir, Volume: "folder", Tier: "nas", On: []string{"box/drive/PhysicalDrive1"}},
		},
	}
}

// machine is what a probe's cases are tested on.
type machine struct {
	name      string
	inventory func() assay.Inventory
	scratch   assay.Scratch
	// some means that a tool need not have all its cases there: those it lacks are refused,
	// and at least one is not.
	some bool
}

// machines returns those of the systems that a probe measures.
func machines(s assay.Systems) []machine {
	var all []machine
	if s.Include(false) {
		all = append(all, machine{name: "Linux", inventory: Inventory, scratch: assay.Scratch{Dir: "/srv/a b/.assay-x", File: "/srv/a b/.assay-x/data", Bytes: 64 << 20}})
	}
	if s.Include(true) {
		all = append(all, machine{name: "Windows", inventory: Windows, scratch: assay.Scratch{Dir: `D:\a b\.assay-x`, File: `D:\a b\.assay-x\data`, Bytes: 64 << 20}, some: true})
	}
	return all
}

// Test runs the suite. cases are the probe's own, from the suites, or those of the probe
// that it stands in for.
func Test(t *testing.T, p assay.Probe, cases []assay.Case) {
	t.Helper()
	if len(cases) == 0 {
		t.Fatalf("no suite uses probe %s", p.Spec().Name)
	}
	t.Run("spec", func(t *testing.T) { spec(t, p) })
	t.Run("unknown settings", func(t *testing.T) { unknownSettings(t, p, cases) })
	t.Run("rubbish", func(t *testing.T) { rubbish(t, p) })
	for _, on := range machines(p.Spec().Systems) {
		t.Run(on.name, func(t *testing.T) {
			t.Run("trials", func(t *testing.T) { trials(t, p, cases, on) })
			t.Run("trials on a machine that is not known", func(t *testing.T) { bareTrials(t, p, cases, on) })
			t.Run("run", func(t *testing.T) { failingPlaces(t, p, cases, on) })
		})
	}
}

func spec(t *testing.T, p assay.Probe) {
	s := p.Spec()
	if s.Name == "" || len(s.Metrics) == 0 {
		t.Errorf("spec %+v", s)
	}
	for _, name := range s.Metrics {
		if _, known := assay.Describe(name); !known {
			t.Errorf("metric %q is not in the vocabulary", name)
		}
	}
	for _, tool := range s.Tools {
		if !s.Systems.Include(false) {
			break // Windows-only tools have no packages
		}
		for _, manager := range []string{"apt", "dnf", "pacman", "apk"} {
			if tool.Packages[manager] == "" {
				t.Errorf("no package of %s holds %s", manager, tool.Name)
			}
		}
	}
}

func trials(t *testing.T, p assay.Probe, cases []assay.Case, on machine) {
	seen, able := map[string]bool{}, 0
	for _, c := range cases {
		first, err := p.Trials(on.inventory(), c)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		again, _ := p.Trials(on.inventory(), c)
		if !reflect.DeepEqual(first, again) {
			t.Errorf("%s: two calls gave two answers: Trials is not pure", c.Name)
		}
		if len(first) == 0 && len(on.inventory().Of(c.On)) > 0 {
			t.Errorf("%s: no trial on a machine that has a %s", c.Name, c.On)
		}
		if len(first) == 0 && !on.some {
			t.Errorf("%s: no trial on a machine that has one of everything", c.Name)
		}
		for _, tr := range first {
			if want := p.Spec().Name + "/" + c.Name + "@" + tr.Subject.ID; tr.ID != want {
				t.Errorf("id %q, want %q", tr.ID, want)
			}
			if seen[tr.ID] {
				t.Errorf("id %q twice", tr.ID)
			}
			seen[tr.ID] = true
			if tr.Probe != p.Spec().Name || tr.Case != c.Name || tr.Title == "" || tr.Risk == "" {
				t.Errorf("%s: %+v", tr.ID, tr)
			}
			switch {
			case tr.Absent == nil:
				able++
			case !on.some:
				t.Errorf("%s cannot be measured on a machine that has one of everything: %s", tr.ID, tr.Absent.Why)
			case tr.Absent.Word != assay.NotSupported || tr.Absent.Why == "" || tr.Scratch != 0:
				t.Errorf("%s is not refused: %+v", tr.ID, tr.Absent)
			default:
				continue
			}
			if (tr.Scratch > 0) != (tr.Volume != "") || (tr.Risk == assay.Writes) != (tr.Scratch > 0) {
				t.Errorf("%s: risk %q, %d bytes of scratch of volume %q", tr.ID, tr.Risk, tr.Scratch, tr.Volume)
			}
		}
	}
	if able == 0 {
		t.Error("nothing can be measured")
	}
}

// bareTrials checks that missing facts cause no panic; an absence says why.
func bareTrials(t *testing.T, p assay.Probe, cases []assay.Case, on machine) {
	inv := on.inventory()
	inv.Facts = map[string]assay.Facts{"box": {Host: "box"}}
	for _, c := range cases {
		list, err := p.Trials(inv, c)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		for _, tr := range list {
			if tr.Absent != nil && (tr.Absent.Word == "" || tr.Absent.Why == "") {
				t.Errorf("%s is absent and does not say why: %+v", tr.ID, tr.Absent)
			}
		}
		if none, err := p.Trials(assay.Inventory{}, c); err != nil || len(none) != 0 {
			t.Errorf("%s: an empty inventory gave %d trials, %v", c.Name, len(none), err)
		}
	}
}

func unknownSettings(t *testing.T, p assay.Probe, cases []assay.Case) {
	c := cases[0]
	c.Set = map[string]string{"no-such-setting": "1"}
	for k, v := range cases[0].Set {
		c.Set[k] = v
	}
	if _, err := p.Trials(Inventory(), c); err == nil || !strings.Contains(err.Error(), "no-such-setting") {
		t.Errorf("an unknown setting gave %v", err)
	}
}

// rubbish wants measurements or a clear error, never a panic or a silent zero.
func rubbish(t *testing.T, p assay.Probe) {
	for name, out := range map[string]assay.Output{
		"nothing":    {},
		"text":       {Stdout: []byte("what?\n"), Stderr: []byte("what?\n")},
		"binary":     {Stdout: []byte{0, 255, 1, 254, '{', '"'}},
		"half JSON":  {Stdout: []byte(`{"jobs":[{"read":{"iops":`)},
		"empty JSON": {Stdout: []byte(`{}`)},
		"an array":   {Stdout: []byte(`[]`)},
		"a failure":  {Exit: 1, Stderr: []byte("something: went wrong\n")},
		"killed":     {Exit: 137},
	} {
		tr := assay.Transcript{Probe: p.Spec().Name, Steps: []assay.Step{{Name: "measure", Output: out}}}
		if ms, err := p.Parse(tr); err == nil {
			t.Errorf("%s gave %d measurements and no error", name, len(ms))
		}
	}
	if ms, err := p.Parse(assay.Transcript{}); err == nil {
		t.Errorf("an empty transcript gave %d measurements and no error", len(ms))
	}
	// More parsing is for the probe's own tests; this only forbids nonsense.
	tr := assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: []byte("NaN inf -1 1e999")}}}}
	ms, _ := p.Parse(tr)
	for _, m := range ms {
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
			t.Errorf("%s is %v", m.Metric, m.Value)
		}
	}
}

// deaf is a place that returns nothing, or does not answer.
type deaf struct {
	host string // "" for box
	err  error
}

func (d deaf) Host() assay.Host { return assay.Host{Name: cmp.Or(d.host, "box")} }
func (deaf) Close() error       { return nil }
func (d deaf) Run(ctx context.Context, _ assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	return assay.Output{Started: time.Now()}, d.err
}

func failingPlaces(t *testing.T, p assay.Probe, cases []assay.Case, on machine) {
	bench := assay.Bench{Scratch: on.scratch, Length: time.Second}
	for _, c := range cases {
		list, err := p.Trials(on.inventory(), c)
		list = slices.DeleteFunc(list, func(tr assay.Trial) bool { return tr.Absent != nil })
		if err != nil || len(list) == 0 {
			continue // said by trials
		}
		tr := list[0]
		if bench.Scratch.Image = nil; tr.Subject.Kind == assay.KindImage {
			bench.Scratch.Image = &assay.Image{Pool: "vms", Name: "assay-x"}
		}
		tr.Bound = 5 * time.Second
		// give sets the trial's place, and that of the second host if it measures a
		// path.
		give := func(d deaf) {
			bench.Place, bench.Peer, bench.Helpers = d, nil, nil
			for _, h := range tr.Helpers {
				bench.Helpers = append(bench.Helpers, deaf{host: h, err: d.err})
			}
			if tr.Peer != "" {
				bench.Peer = deaf{host: tr.Peer, err: d.err}
			}
		}

		broken := errors.New("the line is down")
		give(deaf{err: broken})
		if _, err := p.Run(context.Background(), tr, bench); !errors.Is(err, broken) {
			t.Errorf("%s: a place that fails gave %v", tr.ID, err)
		}
		give(deaf{})
		if out, err := p.Run(context.Background(), tr, bench); err == nil {
			if ms, perr := p.Parse(out); perr == nil {
				t.Errorf("%s: a tool that says nothing gave %d measurements", tr.ID, len(ms))
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := p.Run(ctx, tr, bench); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled, it gave %v", tr.ID, err)
		}
	}
}
