package drbd

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func TestReadShow(t *testing.T) {
	volume := func(minor int, disk string) []Volume {
		return []Volume{{Number: "0", Minor: minor, Disk: disk, ALExtents: 1237, MaxRate: 102400 << 10, Flushes: "yes"}}
	}
	for file, want := range map[string][]Resource{
		"show-9-two-paths.txt": {{
			Name:    "lb-tcp-20251117-171820",
			Volumes: []Volume{{Number: "0", Minor: 1, Disk: "/dev/scratch/lb-tcp-20251117-171820-disk0", Flushes: "no"}},
			Peers:   []Peer{{Name: "f43-2", Paths: []Path{{"192.168.122.35", "192.168.122.36"}, {"10.255.0.254", "10.255.0.162"}}}},
		}},
		"show-9-linstor.txt": {{
			Name: "pvc-96c2dc8b-31aa-4b28-8ab7-332b58de64b5", Quorum: "majority",
			Volumes: []Volume{{Number: "0", Minor: 1176, Disk: "/dev/vg-pool/pvc-96c2dc8b-31aa-4b28-8ab7-332b58de64b5_00000"}},
			Peers:   []Peer{{Name: "de-fra-node54", Paths: []Path{{"192.168.10.214", "192.168.11.191"}}}, {Name: "de-fra-node10", Paths: []Path{{"192.168.10.214", "192.168.11.9"}}}},
		}},
		"show-8.4.txt": {
			{Name: "r0", Volumes: volume(0, "/dev/disk/by-id/virtio-ONE"), Peers: []Peer{{Protocol: "C", Paths: []Path{{"127.0.0.1", "127.0.0.2"}}}}},
			{Name: "r1", Volumes: volume(1, "/dev/disk/by-id/virtio-TWO"), Peers: []Peer{{Protocol: "C", Paths: []Path{{"127.0.0.2", "127.0.0.1"}}}}},
		},
	} {
		for name, text := range map[string]string{"as it is": captured.Text(t, file), "CRLF": strings.ReplaceAll(captured.Text(t, file), "\n", "\r\n")} {
			got, err := ReadShow([]byte(text))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s: %v\n%+v\nwant\n%+v", file, name, err, got, want)
			}
		}
	}
	whole := captured.Text(t, "show-8.4.txt")
	for _, bad := range []string{"", "resource r0 {}", "}", whole[:len(whole)/3], strings.Repeat("a {", 100), "r0: no resources defined!"} {
		if r, err := ReadShow([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, r)
		}
	}
}

// Each finding appears if it should, and none in a sane setup.
func TestOdd(t *testing.T) {
	sane := Resource{Name: "r0", Quorum: "majority", Volumes: []Volume{{ALExtents: 6433, MaxRate: 1 << 30, Disk: "/dev/sda"}}, Peers: []Peer{{Protocol: "C"}, {Protocol: "C"}}}
	if notes := sane.Odd(20 << 30); len(notes) != 0 {
		t.Errorf("a sane setup: %v", notes)
	}
	for id, change := range map[string]func(*Resource){
		"drbd-protocol":   func(r *Resource) { r.Peers = []Peer{{Protocol: "A"}, {Protocol: "A"}} },
		"drbd-al-extents": func(r *Resource) { r.Volumes[0].ALExtents = 1237 },
		"drbd-flushes":    func(r *Resource) { r.Volumes[0].Flushes = "no" },
		"drbd-c-max-rate": func(r *Resource) { r.Volumes[0].MaxRate = 102400 << 10 },
		"drbd-quorum":     func(r *Resource) { r.Quorum = "off" },
		"drbd-diskless":   func(r *Resource) { r.Volumes[0].Disk = "none" },
		"drbd-tiebreaker": func(r *Resource) { r.Peers = r.Peers[:1] },
	} {
		r := sane
		r.Volumes = []Volume{sane.Volumes[0]}
		change(&r)
		if notes := r.Odd(20 << 30); len(notes) != 1 || notes[0].ID != id {
			t.Errorf("%s: %v", id, notes)
		}
	}
}

// Findings for captured resources, as they are and with a few words changed.
func TestOddOfReal(t *testing.T) {
	for _, c := range []struct{ file, was, is, want string }{
		{"show-8.4.txt", "", "", "drbd-al-extents drbd-c-max-rate drbd-tiebreaker"},
		{"show-9-two-paths.txt", "", "", "drbd-flushes drbd-tiebreaker"},
		{"show-9-linstor.txt", "", "", ""},
		{"show-9-linstor.txt", "majority", "off", "drbd-quorum"},
		{"show-9-linstor.txt", `"/dev/vg-pool/pvc-96c2dc8b-31aa-4b28-8ab7-332b58de64b5_00000"`, "none", "drbd-diskless"},
		{"show-9-linstor.txt", "rs-discard-granularity  65536", "al-extents 1237; c-max-rate 102400k", "drbd-al-extents drbd-c-max-rate"},
		{"show-9-linstor.txt", "max-buffers         12288", "protocol A", "drbd-protocol"},
	} {
		all, err := ReadShow([]byte(strings.ReplaceAll(captured.Text(t, c.file), c.was+";", c.is+";")))
		if err != nil {
			t.Fatal(c.file, err)
		}
		var ids []string
		for _, n := range all[0].Odd(20 << 30) {
			ids = append(ids, n.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.file, c.is, got, c.want)
		}
	}
}

// Each device describes its own replication; a host with two protocols reports
// none.
func TestDescribe(t *testing.T) {
	f := assay.Facts{Block: []assay.BlockDevice{{Name: "one", On: []string{"sda"}}}}
	Describe(&f, "one", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Protocol: "C"})
	Describe(&f, "two", assay.StackFacts{Kind: "drbd", Copies: 3, Remote: 3, Protocol: "A"})
	one, two := f.Device("one"), f.Device("two")
	if one.Stack.Protocol != "C" || one.On[0] != "sda" || two.Stack.Protocol != "A" || f.Stack.Protocol != "" || f.Stack.Copies != 3 {
		t.Errorf("%+v, %+v", f.Block, f.Stack)
	}
}

func FuzzReadShow(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ReadShow(text)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d resources and error %v", len(all), err)
		}
		for _, r := range all {
			for _, v := range r.Volumes {
				if v.Minor < -1 || v.ALExtents < 0 || v.MaxRate < 0 {
					t.Errorf("%+v", v)
				}
			}
			r.Odd(1 << 40)
		}
	})
}
