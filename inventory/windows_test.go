package inventory

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"assay"
	"assay/internal/powershell"
)

// answered returns what windows.ps1 prints for the host in a testdata file.
func answered(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/windows/" + file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := powershell.Answer(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestParseWindows(t *testing.T) {
	f, err := ParseWindows(answered(t, "server2022.json"))
	if err != nil {
		t.Fatal(err)
	}
	if os := f.OS; !os.Windows || os.Distribution != "Microsoft Windows Server 2022 Standard" || os.Kernel != "10.0.20348" || os.Arch != "x86_64" || os.Machine != "QEMU Standard PC (Q35 + ICH9, 2009)" {
		t.Errorf("%+v", os)
	}
	if f.CPU.Cores != 4 || f.CPU.Threads != 4 || f.CPU.Sockets != 1 || f.CPU.MaxHz != 2.904e9 || f.CPU.LastLevel() != 16<<20 || f.CPU.Virtual == nil || !*f.CPU.Virtual {
		t.Errorf("%+v", f.CPU)
	}
	if f.Memory.Total != 8388084<<10 || f.Memory.Available != 6<<30 || !f.Root {
		t.Errorf("%+v", f.Memory)
	}
	if len(f.Block) != 3 {
		t.Fatalf("%+v", f.Block)
	}
	scsi, virtio, nvme := f.Block[0], f.Block[1], f.Block[2]
	if scsi.Name != "PhysicalDrive0" || scsi.Path != `\\.\PhysicalDrive0` || scsi.Bytes != 50<<30 || scsi.Bus != assay.BusNone || scsi.Rotational != nil || scsi.WriteCache != "write back" || scsi.Serial != "drive-scsi0" {
		t.Errorf("%+v", scsi)
	}
	if virtio.Bus != assay.BusVirtio || virtio.WriteCache != "" || virtio.PLP != nil || virtio.RPM != 0 {
		t.Errorf("%+v", virtio)
	}
	if nvme.Bus != assay.BusNVMe || nvme.Rotational == nil || *nvme.Rotational || nvme.PLP == nil || *nvme.PLP {
		t.Errorf("%+v", nvme)
	}
	if n := f.NICs; len(n) != 1 || n[0].Speed != 1e10 || n[0].MTU != 1500 || n[0].State != "up" {
		t.Errorf("%+v", n)
	}
	want := assay.DirFacts{Path: `D:\bench`, Mount: `D:\`, FileSystem: "ntfs", Source: `\\?\Volume{c028e662-0000-0000-0000-100000000000}\`, Options: []string{"compressed"}, Device: "PhysicalDrive1", Drives: []string{"PhysicalDrive1"}, Bytes: 107355303936, Free: 90194313216, Writable: true, Exists: true}
	if len(f.Dirs) != 3 || !reflect.DeepEqual(f.Dirs[0], want) || f.Dirs[1].Writable || f.Dirs[2].Exists || f.Dirs[2].Writable {
		t.Errorf("%+v", f.Dirs)
	}
	if fio := f.Tool("fio"); fio.Version != "3.38" || f.Tool("diskspd").Version != "2.0.21a" || f.Tool("iperf3").Path != "" {
		t.Errorf("%+v", f.Tools)
	}
	if len(f.Missing) != 2 || f.Missing[0].Why != "Invalid class" {
		t.Errorf("%+v", f.Missing)
	}
	f.Host = "win"
	var ids []string
	for _, s := range Subjects(f, []string{`D:\bench`}) {
		ids = append(ids, s.ID+" on "+strings.Join(s.On, ","))
	}
	if got := strings.Join(ids, "; "); !strings.HasSuffix(got, `win/directory/D:\bench on win/drive/PhysicalDrive1`) {
		t.Error(got)
	}
}

// windowsPlace answers every command with out.
type windowsPlace struct {
	out  assay.Output
	err  error
	argv *[]string
}

func (windowsPlace) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }
func (windowsPlace) Close() error     { return nil }
func (w windowsPlace) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	if w.argv != nil {
		*w.argv = c.Argv
	}
	return w.out, w.err
}

func TestDiscoverWindows(t *testing.T) {
	var argv []string
	at := windowsPlace{out: assay.Output{Stdout: answered(t, "server2022.json")}, argv: &argv}
	const hostile = `D:\it's $(Remove-Item x); & y`
	f, rest, err := DiscoverAnd(t.Context(), at, []string{hostile, `D:\bench`, hostile}, []string{"fio", "fio"}, []byte("echo more"))
	if err != nil || f.Host != "win" || rest != nil || !f.OS.Windows {
		t.Fatalf("%+v, %q, %v", f, rest, err)
	}
	var given struct{ Dirs, Tools []string }
	script, err := powershell.Given(argv, &given)
	if err != nil || script != powershell.Slim(windowsScript) || !reflect.DeepEqual(given.Dirs, []string{hostile, `D:\bench`}) || len(given.Tools) != 1 {
		t.Errorf("%+v, %v", given, err)
	}
	if _, err := Discover(t.Context(), at, nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := powershell.Given(argv, &given); err != nil || given.Dirs == nil || given.Tools == nil {
		t.Errorf("no directory is a null, %v", err)
	}
	for want, c := range map[string]struct {
		place windowsPlace
		dirs  []string
	}{
		"not an absolute path of Windows": {at, []string{"/srv"}},
		"Access is denied":                {windowsPlace{out: assay.Output{Exit: 1, Stderr: []byte("\r\nAccess is denied.\r\nAt line:3")}}, nil},
		"PowerShell exited 255":           {windowsPlace{out: assay.Output{Exit: 255}}, nil},
		"does Get-Disk answer":            {windowsPlace{err: assay.ErrTimeout}, nil},
	} {
		_, err := Discover(t.Context(), c.place, c.dirs, nil)
		if err == nil || !strings.Contains(err.Error()+assay.Hint(err), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := Discover(t.Context(), windowsPlace{}, nil, nil); !errors.Is(err, assay.ErrNoOutput) {
		t.Error(err)
	}
}

// The command fits Windows' limit, even with many directories and all tools.
func TestTheScriptFitsIntoACommand(t *testing.T) {
	dirs := make([]string, 8)
	for i := range dirs {
		dirs[i] = `D:\` + strings.Repeat(string(rune('a'+i)), 100)
	}
	if _, err := powershell.Command(windowsScript, map[string][]string{"Dirs": dirs, "Tools": strings.Fields(strings.Repeat("smartctl ", 30))}); err != nil {
		t.Error(err)
	}
}

func FuzzParseWindows(f *testing.F) {
	text, err := os.ReadFile("testdata/windows/server2022.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"Disks":{"value":[{"Number":-1,"Size":1e300}],"Count":1},"Dirs":[null],"OS":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := powershell.Answer(json.RawMessage(text))
		if err != nil {
			return
		}
		facts, err := ParseWindows(out)
		if err != nil {
			return
		}
		for _, b := range facts.Block {
			if b.Bytes < 0 || b.RPM < 0 {
				t.Errorf("%+v", b)
			}
		}
	})
}
