package cluster

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/volume/all"
	"assay/volume/device"
)

var update = flag.Bool("update", false, "write the golden files anew")

// files returns the YAML files of a testdata folder.
func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = text
	}
	return texts
}

func TestValidFilesAreRead(t *testing.T) {
	for name, text := range files(t, "valid") {
		c, err := Read(name, text, all.Kinds()...)
		if err != nil {
			t.Errorf("%s:\n%v", name, err)
			continue
		}
		if len(c.Hosts) < 2 && c.Kubernetes == nil || c.File != name {
			t.Errorf("%s: %d hosts of %q", name, len(c.Hosts), c.File)
		}
	}
}

// Each faulty file has a file beside it with the expected error and its
// position.
func TestErrorTexts(t *testing.T) {
	for _, folder := range []string{"invalid", "wrong"} {
		for name, text := range files(t, folder) {
			t.Run(name, func(t *testing.T) {
				_, err := Read(name, text, all.Kinds()...)
				if err == nil {
					t.Fatal("it is read")
				}
				golden := filepath.Join("testdata", folder, strings.TrimSuffix(name, ".yaml")+".err")
				got := err.Error() + "\n"
				if *update {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
					t.Errorf("differs from %s (run with -update if that is meant):\n%s", golden, d)
				}
			})
		}
	}
}

func TestDefaultsAndOwnValues(t *testing.T) {
	c, err := Read("dir/full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	want := []Host{
		{
			Name: "pve1", Address: "10.0.0.1", User: "bench", Port: 22, Sudo: true, Labels: map[string]string{"rack": "3"},
			Measure: Measure{Directories: []string{"/srv"}}, SSH: SSH{Config: "ssh_config"},
		},
		{
			Name: "pve2", Address: "pve2", User: "bench", Port: 22, Sudo: true, Labels: map[string]string{"rack": "3"},
			Measure: Measure{Directories: []string{"/srv"}}, SSH: SSH{Config: "ssh_config"},
		},
		{
			Name: "pve3", Address: "fd00::3", User: "root", Port: 2222,
			Labels: map[string]string{"rack": "4", "cooling": "stock", "tested": "true"},
			Measure: Measure{Directories: []string{"/srv", "/mnt/with blanks"}, Devices: []string{"/dev/nvme0n1", "/dev/disk/by-id/ata-X_1"}, Overwrite: []device.Device{
				{Path: "/dev/disk/by-id/ata-Y_S3Z8NB0K", Serial: "S3Z8NB0K", Confirm: "S3Z8NB0K", LoseData: "S3Z8NB0K", Reset: "discard"},
				{Path: "/dev/loop7", Backing: "/srv/disk.img"},
			}},
			SSH: SSH{Config: "~/.ssh/lab"},
		},
		{
			Name: "pve4", Address: "fe80::4%eth0", User: "bench", Port: 22, Sudo: true,
			Labels: map[string]string{"rack": "3"}, SSH: SSH{Config: "ssh_config"},
		},
		{
			Name: "web", Labels: map[string]string{"rack": "3"},
			Measure: Measure{Directories: []string{"/srv"}}, Guest: &Guest{On: "pve1", Kind: "proxmox", Name: "101"},
		},
		{
			Name: "db", Labels: map[string]string{"rack": "none"},
			Measure: Measure{Directories: []string{"/var/lib/postgresql"}}, Guest: &Guest{
				On: "pve3", Kind: "libvirt", Name: "db", Migrate: &Migrate{To: "pve1", Network: "storage", Transport: "tls", Address: "10.0.0.44", Load: 64 << 20, Disks: "copy"},
			},
		},
		{
			Name: "old", Address: "10.0.0.33", User: "bench", Port: 22, Sudo: true, Labels: map[string]string{"rack": "3"},
			Measure: Measure{Directories: []string{"/srv"}}, SSH: SSH{Config: "ssh_config"}, Guest: &Guest{On: "pve3"},
		},
		{
			Name: "win", Labels: map[string]string{"rack": "3"},
			Measure: Measure{Directories: []string{`D:\bench`}}, Guest: &Guest{On: "pve2", Kind: "proxmox", Name: "105", OS: "windows"},
		},
	}
	for i, on := range []string{"pve1", "pve2"} {
		want = append(want, Host{
			Name: "bench-" + strconv.Itoa(i+1), Labels: map[string]string{"rack": "3"}, Measure: Measure{Directories: []string{"/srv"}},
			Guest: &Guest{On: on, Kind: "proxmox", Clone: &Clone{Of: "9000", Entry: "bench", Among: []string{"pve1", "pve2"}, Full: true}},
		})
	}
	want = append(want, Host{
		Name: "cloud-1", Labels: map[string]string{"rack": "3"}, Measure: Measure{Directories: []string{"/srv"}},
		Guest: &Guest{On: "pve3", Kind: "libvirt", Clone: &Clone{
			Of: "https://cloud.debian.org/images/cloud/bookworm/latest/debian-12-genericcloud-amd64.qcow2", Entry: "cloud", Among: []string{"pve3"},
			Image: &CloudImage{Storage: "images", Digest: "sha512:" + strings.Repeat("0123456789abcdef", 8), Memory: 2 << 30, CPUs: 2, Disk: 10 << 30, Bridge: "br0", Packages: []string{"fio"}},
		}},
	})
	if d := cmp.Diff(want, c.Hosts); d != "" {
		t.Errorf("hosts (-want +got):\n%s", d)
	}
	for i, file := range []string{"dir/ssh_config", "dir/ssh_config", "/home/me/.ssh/lab", "dir/ssh_config"} {
		if got := c.ConfigFile(c.Hosts[i], "/home/me"); got != file {
			t.Errorf("ssh configuration of %s: %q, want %q", c.Hosts[i].Name, got, file)
		}
	}
	storage := c.Networks[1]
	if storage.Rate != 10e9 || storage.MTU != 9000 || storage.Address("pve4").String() != "10.0.1.4" || storage.Address("pve9").IsValid() {
		t.Errorf("storage: %+v", storage)
	}
	if mesh := c.Networks[2]; mesh.Kind != Ring || mesh.Rate != 2.5e9 || mesh.Hosts[2].Host != "pve3" {
		t.Errorf("mesh: %+v", mesh)
	}
}

// The full example would prove little if it omitted a field.
func TestTheFullExampleUsesEveryField(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			if p := v.Type().PkgPath(); p != "assay/stacks/failover" && p != "assay/inventory/cluster" && !strings.HasPrefix(p, "assay/volume/") {
				return
			}
			for i := range v.NumField() {
				name := v.Type().String() + "." + v.Type().Field(i).Name
				used[name] = used[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(c))
	for name, is := range used {
		if !is && name != "bucket.Storage.Endpoint" { // the short form of Endpoints
			t.Errorf("%s is empty everywhere", name)
		}
	}
	if len(used) < 20 {
		t.Errorf("only %d fields seen", len(used))
	}
}

func TestChoose(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"":                    "pve1 pve2 pve3 pve4 web db old win bench-1 bench-2 cloud-1",
		"pve3":                "pve3",
		"all-flash pve1":      "pve1 pve3 pve4",
		"pve4 pve2 pve4":      "pve2 pve4",
		"small all-flash":     "pve1 pve2 pve3 pve4",
		"all-flash all-flash": "pve3 pve4",
	} {
		hosts, err := c.Choose(strings.Fields(words))
		if got := strings.Join(hostNames(hosts), " "); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", words, got, err, want)
		}
	}
	_, err = c.Choose([]string{"all-flahs"})
	if err == nil || assay.Hint(err) != `did you mean "all-flash"?` || !strings.Contains(err.Error(), "full.yaml") {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

func TestRates(t *testing.T) {
	for word, want := range map[string]float64{
		"10G": 1e10, "2.5G": 2.5e9, "100M": 1e8, "1000 Mb/s": 1e9, "1T": 1e12, "25Gbit": 2.5e10, "10000M": 1e10, "40 Gbit/s": 4e10, "1Gbps": 1e9, "1Gb": 1e9,
	} {
		got, ok := ParseRate(word)
		if !ok || got != want {
			t.Errorf("%q: %g, %v; want %g", word, got, ok, want)
		}
		if again, _ := ParseRate(FormatRate(got)); again != want {
			t.Errorf("%q: written as %q", word, FormatRate(got))
		}
	}
	for _, word := range []string{"", "10", "G", "0G", "-1G", "10GB/s", "10GB", "10 GiB", "1e3M", "10K", "10G x", "inf"} {
		if got, ok := ParseRate(word); ok {
			t.Errorf("%q is %g", word, got)
		}
	}
	for _, bits := range []float64{0, -1, 1, 1e5, 1.23456789e9, 1e18} {
		if word := FormatRate(bits); word != "" {
			t.Errorf("%g is written as %q", bits, word)
		}
	}
}

// Text that is slow to parse would be a way to hang assay.
func TestWhatIsTooMuchIsRefused(t *testing.T) {
	for name, text := range map[string][]byte{
		"long":   append([]byte("hosts: {a: 10.0.0.1}\n"), bytes.Repeat([]byte("# more\n"), 1<<18)...),
		"deep":   append([]byte("hosts: "), bytes.Repeat([]byte("{a: "), 1000)...),
		"square": bytes.Repeat([]byte("["), 100000),
	} {
		if _, err := Read(name, text, all.Kinds()...); err == nil || !strings.HasPrefix(err.Error(), name+":1:1: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var many strings.Builder
	many.WriteString("hosts:\n")
	for range 300 {
		many.WriteString("  x" + strings.Repeat("x", many.Len()%97) + ": [\"a\"]\n")
	}
	if _, err := Read("many", []byte(many.String()), all.Kinds()...); err == nil || strings.Count(err.Error(), "\n") > 20 {
		t.Errorf("%v", err)
	}
}
