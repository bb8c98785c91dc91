package migration

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func captured(t testing.TB) string { return capturedIn(t, "completed-9.0.0.txt") }

func capturedIn(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadReport(t *testing.T) {
	for name, text := range map[string]string{"as it is": captured(t), "CRLF": strings.ReplaceAll(captured(t), "\n", "\r\n")} {
		r, err := ReadReport([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for what, c := range map[string]struct {
			got  Figure
			want float64
			line int
		}{
			"elapsed": {r.Elapsed, 1.393, 3}, "transferred": {r.Transferred, 78.787 * (1 << 20), 8}, "memory": {r.Memory, 256.375 * (1 << 20), 10},
			"speed": {r.Speed, 110.255 * (1 << 20), 11}, "dirty rate": {r.DirtyRate, 0, 12}, "zero": {r.Zero, 45659 * 4096, 16},
			"downtime": {r.Downtime, .077, 19}, "setup": {r.Setup, .001, 21}, "disks": {r.Disks, 0, 0},
		} {
			if math.Abs(c.got.Value-c.want) > 1e-9*c.want || c.got.Line != c.line {
				t.Errorf("%s: %s is %+v, want %v on line %d", name, what, c.got, c.want, c.line)
			}
		}
	}
}

// Progress of disks is kept apart from that of memory.
func TestReadProgressOfDisks(t *testing.T) {
	text := capturedIn(t, "copying-9.0.0.txt")
	r, ok := ReadProgress([]byte(text))
	if !ok || !r.Copied() || r.Disks != (Figure{48 << 20, 14}) || r.Elapsed.Value != 1.159 || math.Abs(r.Transferred.Value-2.253*(1<<20)) > 1 {
		t.Errorf("%+v, %t", r, ok)
	}
	for _, is := range []string{"File remaining:   1.000 MiB", "File remaining:   ?", ""} {
		if r, ok := ReadProgress([]byte(strings.Replace(text, "File remaining:   0.000 B", is, 1))); ok && r.Copied() {
			t.Errorf("%q: all is sent: %+v", is, r)
		}
	}
}

func TestWhatIsNoReport(t *testing.T) {
	good := captured(t)
	for says, text := range map[string]string{
		"printed no usable output": "",
		"neither time nor memory":  "Job type:         Completed\nOperation:        Outgoing migration\n",
		"the job is \"None\"":      "Job type:         None        \n\n",
		"the job is \"Failed\"":    strings.Replace(good, "Completed", "Failed", 1),
		"is no migration":          strings.Replace(good, "Incoming migration", "Backup", 1),
		"line 8: Memory processed": strings.Replace(good, "Memory processed: 78.787 MiB", "Memory processed: 78.787 pages", 1),
		"line 3: Time elapsed":     strings.Replace(good, "1393         ms", "-1 ms", 1),
		"line 19: Total downtime":  strings.Replace(good, "77           ms", "NaN ms", 1),
	} {
		if r, err := ReadReport([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v, %v: want %s", r, err, says)
		}
	}
}

func FuzzReadReport(f *testing.F) {
	f.Add([]byte(captured(f)))
	f.Add([]byte("Job type: Completed\nTime elapsed: 1 ms\nMemory processed: 1 B\nPage size: 4096 bytes\nConstant pages: 9e300"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadReport(text)
		for _, one := range []Figure{r.Elapsed, r.Transferred, r.Downtime, r.Speed, r.Zero, r.DirtyRate} {
			if err == nil && (math.IsNaN(one.Value) || math.IsInf(one.Value, 0) || one.Value < 0) {
				t.Errorf("%+v of %q", one, text)
			}
		}
		if p, ok := ReadProgress(text); ok && math.IsNaN(p.Transferred.Value) {
			t.Errorf("%+v of %q", p, text)
		}
		_, _ = readJob(text)
		_, _ = readInfo(text)
	})
}

func TestReadJob(t *testing.T) {
	for text, want := range map[string]string{
		"Job type:         None        \n\n":                                     NoJob,
		"Job type:         Unbounded   \nOperation:        Outgoing migration\n": Leaving,
		"Job type:         Unbounded   \nOperation:        Backup\n":             "Backup",
		"Job type:         Bounded     \n":                                       "Bounded",
	} {
		if got, err := readJob([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := readJob(nil); err == nil {
		t.Errorf("nothing is %q", got)
	}
}

func TestReadInfo(t *testing.T) {
	// Of libvirt 9.0.0.
	const good = "Id:             1\nName:           web\nUUID:           6f0f9c1e-7c1d-4b64-9d0e-0000000000ff\nOS Type:        hvm\nState:          running\n" +
		"CPU(s):         1\nCPU time:       14.3s\nMax memory:     262144 KiB\nUsed memory:    262144 KiB\nPersistent:     yes\nAutostart:      enable\nManaged save:   no\n"
	if d, err := readInfo([]byte(good)); err != nil || d != (domain{true, true, 256 << 20}) {
		t.Errorf("%+v, %v", d, err)
	}
	for _, bad := range []string{"", strings.Replace(good, "262144 KiB", "no limit", 1), strings.Replace(good, "enable", "?", 1), strings.Replace(good, "yes", "", 1)} {
		if d, err := readInfo([]byte(bad)); err == nil {
			t.Errorf("%q is %+v", bad, d)
		}
	}
}

func move() Move {
	return Move{Kind: Libvirt, Guest: "web", Home: End{"kvm1", "192.0.2.1"}, Away: End{"kvm2", "fd00::2"}, Transport: "tls", Address: "192.0.2.9"}
}

func TestMove(t *testing.T) {
	m := move()
	for _, load := range []int64{0, 64 << 20} {
		m.Load, m.Copy = load, load > 0
		if got, err := Of(m.Params()); err != nil || got != m {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if got, err := Of(map[string]string{"load": "much"}); err == nil {
		t.Errorf("%+v", got)
	}
	for name, change := range map[string]func(*Move){
		"an option": func(m *Move) { m.Guest = "--all" }, "a shell's word": func(m *Move) { m.Guest = "a;b" }, "no guest": func(m *Move) { m.Guest = "" },
		"one host": func(m *Move) { m.Away = m.Home }, "one address": func(m *Move) { m.Away.Address = m.Home.Address }, "a path": func(m *Move) { m.Home.Address = "x/system" },
		"a query": func(m *Move) { m.Away.Address = "x?command=sh" }, "a user": func(m *Move) { m.Away.Address = "root@x" }, "a zone": func(m *Move) { m.Away.Address = "fe80::1%eth0" },
		"another way": func(m *Move) { m.Transport = "ext" }, "an option for ping": func(m *Move) { m.Address = "-f" }, "a load that nobody hears of": func(m *Move) { m.Address = "" }, "a negative load": func(m *Move) { m.Load = -1 }, "everybody": func(m *Move) { m.Address = "224.0.0.1" },
	} {
		bad := m
		change(&bad)
		if err := bad.Check(); err == nil {
			t.Errorf("%s is taken: %+v", name, bad)
		}
	}
}

func TestGo(t *testing.T) {
	m := move()
	for _, c := range []struct {
		to      End
		offline bool
		want    []string
	}{
		{m.Away, false, []string{"--live", "--migrateuri tcp://[fd00::2]", "--desturi qemu+tls://[fd00::2]/system", "--p2p", "--undefinesource"}},
		{m.Home, false, []string{"--live", "--migrateuri tcp://192.0.2.1", "--desturi qemu+tls://192.0.2.1/system"}},
		{m.Home, true, []string{"--offline", "--persistent"}},
		{m.Away, false, []string{"--live", "--copy-storage-all --migrate-disks vda,vdb "}},
	} {
		m.Copied = ""
		if strings.Contains(strings.Join(c.want, " "), "copy") {
			m.Copied = "vda,vdb"
		}
		argv := libvirt{m}.command(c.to, c.offline).Argv
		words := strings.Join(argv, " ")
		for _, want := range c.want {
			if !strings.Contains(words, want) {
				t.Errorf("%s has no %s", words, want)
			}
		}
		if c.offline == slices.Contains(argv, "--live") || slices.Contains(argv, "--unsafe") || m.Copied == "" && strings.Contains(words, "copy") {
			t.Errorf("%s", words)
		}
	}
}
