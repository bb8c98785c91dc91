package drbd

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

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

// Each finding is there where it should be, and not in a sane setup.
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
	} {
		r := sane
		r.Volumes = []Volume{sane.Volumes[0]}
		change(&r)
		if notes := r.Odd(20 << 30); len(notes) != 1 || notes[0].ID != id {
			t.Errorf("%s: %v", id, notes)
		}
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
