package watch

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

const once = `H 100
T 1795290153
U 1234.56
C cpu  1000 20 300 40000 50 6 7 80 0 0
D vda 100 0 8000 5 200 0 16000 9 0 1250 0 0 0 0 0 42 3
D broken 1 2 3
X 0 5
X 0/3 2
K 150
`

func TestParseSnapshot(t *testing.T) {
	s, _, err := parseSnapshot([]byte(once))
	if err != nil {
		t.Fatal(err)
	}
	if s.Uptime != 1234.56 || s.Clock != 1795290153 || s.Kernel != 1.5 || s.Throttles != 7 {
		t.Errorf("%+v", s)
	}
	if want := (assay.CPUTime{User: 10, Nice: .2, System: 3, Idle: 400, IOWait: .5, IRQ: .06, SoftIRQ: .07, Steal: .8}); s.CPU != want {
		t.Errorf("CPU %+v, want %+v", s.CPU, want)
	}
	if want := (assay.DeviceCounts{Reads: 100, ReadBytes: 4096000, Writes: 200, WriteBytes: 8192000, Flushes: 42, FlushTime: .003, Busy: 1.25}); s.Devices["vda"] != want {
		t.Errorf("vda %+v, want %+v", s.Devices["vda"], want)
	}
	if _, ok := s.Devices["broken"]; ok {
		t.Error("a short line became a device")
	}
}

// Before Linux counted at the head of a native NVMe multipath, it counted at the paths
// alone, which are hidden devices.
func TestPathsCountForAHeadThatDoesNot(t *testing.T) {
	root := t.TempDir()
	stat := func(name, line string) {
		t.Helper()
		dir := filepath.Join(root, "sys/class/block", name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const none = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
	stat("nvme0n1", none)
	stat("nvme0n1p1", none)
	stat("nvme0c0n1", "10 0 80 5 3 0 24 5 0 40 10 0 0 0 0 7 2000")
	stat("nvme0c1n1", "1 0 8 5 1 0 8 5 0 30 10 0 0 0 0 1 1000")
	stat("nvme0c0n11", "500 0 500 5 3 0 24 5 0 40 10 0 0 0 0 7 2000")
	stat("nvme1n1", "2 0 16 5 0 0 0 5 0 20 10 0 0 0 0 0 0")
	stat("nvme1c0n1", "2 0 16 5 0 0 0 5 0 20 10 0 0 0 0 0 0")
	cmd := exec.CommandContext(t.Context(), "sh", "-s", "--", "once", "nvme0n1 nvme0n1p1 nvme1n1", "")
	cmd.Stdin, cmd.Env = bytes.NewReader(script), append(os.Environ(), "ASSAY_ROOT="+root)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := parseSnapshot(append([]byte("U 1\nC cpu 1 2 3 4\n"), out...))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]assay.DeviceCounts{
		"nvme0n1":   {Reads: 11, ReadBytes: 88 * 512, Writes: 4, WriteBytes: 32 * 512, Flushes: 8, FlushTime: 3, Busy: .04},
		"nvme0n1p1": {},
		"nvme1n1":   {Reads: 2, ReadBytes: 16 * 512, Busy: .02},
	} {
		if got, ok := s.Devices[name]; !ok || got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if len(s.Devices) != 3 {
		t.Errorf("paths are no devices of their own: %v", s.Devices)
	}
}

func TestSnapshotsThatCannotBe(t *testing.T) {
	for _, in := range []string{"", "rubbish", "U 1\n", "C cpu 1 2 3 4\n", "U -1\nC cpu 1 2 3 4\n", "U 1\nC cpu NaN 2 3 4\n"} {
		if s, _, err := parseSnapshot([]byte(in)); err == nil {
			t.Errorf("%q gave %+v", in, s)
		}
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	s, _, err := parseSnapshot([]byte("U 1\nC cpu 1 2 3 4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Kernel >= 0 || s.Throttles >= 0 {
		t.Errorf("kernel threads %v and throttles %v were not counted, and must not look as if", s.Kernel, s.Throttles)
	}
}

func TestParseTicks(t *testing.T) {
	sensors := []assay.Sensor{{Key: "coretemp/Package"}, {Key: "nvme/Composite"}}
	in := "H 100\nU 10.5\nC cpu 100 0 0 0\nD sda 1 0 8 0 0 0 0 0 0 0 0\nS 0 45000\nS 1 999000\nS 7 1\nF 2000000\nF 3000000\n.\n" +
		"U 11.5\nS 0 rubbish\nM 2596.150\n.\nU 12.5\nS 0 46000\n"
	ticks := ParseTicks([]byte(in), sensors)
	if len(ticks) != 2 {
		t.Fatalf("%d ticks, want 2: the third was cut off", len(ticks))
	}
	a, b := ticks[0], ticks[1]
	if a.At != 10.5 || a.CPU.User != 1 || a.Devices["sda"].ReadBytes != 4096 || a.Clock != 2.5e9 {
		t.Errorf("first tick %+v", a)
	}
	if len(a.Temps) != 1 || a.Temps["coretemp/Package"] != 45 {
		t.Errorf("temperatures %v: 999 °C is a broken sensor", a.Temps)
	}
	if b.Clock != 2596.15e6 || len(b.Temps) != 0 {
		t.Errorf("second tick %+v", b)
	}
}

func TestAroundThisMachine(t *testing.T) {
	dir := t.TempDir()
	sensor := filepath.Join(dir, "temp1_input")
	if err := os.WriteFile(sensor, []byte("41000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := local.New("here", "")
	w := New(at, assay.Facts{Sensors: []assay.Sensor{{Key: "fake/temp1", Path: sensor}}})
	watching, err := w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Busy for a second of CPU time, however long that takes here, then idle for one more
	// so that at least one tick occurs.
	_, _ = at.Run(t.Context(), assay.Cmd{Argv: []string{"sh", "-c", "(ulimit -t 1; while :; do :; done); sleep 1"}})
	got, err := watching.End(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ticks) < 1 || got.Ticks[0].Temps["fake/temp1"] != 41 {
		t.Errorf("ticks %+v", got.Ticks)
	}
	spent := func(c assay.CPUTime) float64 { return c.User + c.Nice + c.System } // tests may run under nice
	busy := spent(got.After.CPU) - spent(got.Before.CPU)
	if busy < .5 || got.After.Uptime-got.Before.Uptime < 1 {
		t.Errorf("a busy second counted as %.2f s in %.2f s", busy, got.After.Uptime-got.Before.Uptime)
	}
	if got.After.Kernel < 0 {
		t.Error("kernel threads were not counted")
	}
}

func TestWithMoreDevices(t *testing.T) {
	w := New(nil, assay.Facts{Block: []assay.BlockDevice{{Name: "sda", Bytes: 1}}})
	more := w.With([]string{"rbd0", "sda", "", "..", "../sdb", "a b", "*", "cciss!c0d0", "rbd0"})
	if want := []string{"sda", "rbd0", "cciss!c0d0"}; !slices.Equal(more.devices, want) {
		t.Errorf("watched are %v, want %v", more.devices, want)
	}
	if len(w.devices) != 1 {
		t.Errorf("the first watcher watches %v as well", w.devices)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(once))
	f.Add([]byte("H 100\nU 10.5\nC cpu 100 0 0 0\nS 0 45000\nF 2000000\n.\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, _, err := parseSnapshot(b); err == nil && (s.Uptime < 0 || s.CPU.Total() < 0) {
			t.Errorf("%+v", s)
		}
		for _, tick := range ParseTicks(b, []assay.Sensor{{Key: "a"}}) {
			if tick.Clock < 0 || tick.Temps["a"] > 150 {
				t.Errorf("%+v", tick)
			}
		}
	})
}

// recorded is a place that replays a host's old answers.
type recorded struct{ *local.Place }

func (r recorded) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := r.Place.Run(ctx, c)
	out.Started = out.Started.Add(-time.Hour)
	return out, err
}

// The time of a look is known for hosts but not for recordings.
func TestWhenItWasAsked(t *testing.T) {
	here := local.New("here", "")
	for _, c := range []struct {
		at   assay.Place
		told bool
	}{{here, true}, {recorded{here}, false}} {
		s, _, err := New(c.at, assay.Facts{}).look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if told := s.Asked > 0 && s.Answered >= s.Asked; told != c.told || !c.told && s.Asked+s.Answered != 0 {
			t.Errorf("asked %f, answered %f", s.Asked, s.Answered)
		}
	}
}
