package userfacts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestRead(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "cluster.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read("cluster.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	pve1 := given(t, "nic=2.5G,pcie=gen3x4")
	pve1.Host = "pve1"
	pve2 := given(t, "virtual=no,cpu=Intel Core i5-8500T")
	pve2.Host = "pve2"
	want := map[string]assay.Facts{"": given(t, "nic=10G,mtu=9000,zfs.version=2.2,zfs.sync=standard,plp=no"), "pve1": pve1, "pve2": pve2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                            "f.yaml: contains no facts",
		"# nothing\n":                 "f.yaml: contains no facts",
		"nic: 10G\nmtu: many\n":       "f.yaml:2:6: fact mtu=many: expected an MTU",
		"nic: 10G\nnick: 10G\n":       `f.yaml:2:7: unknown fact "nick"`,
		"nic: [10G]\n":                "f.yaml:1:1: fact nic is a list; expected one value",
		"- nic\n":                     "f.yaml:1:1: the file is a list; expected NAME: VALUE",
		"hosts: 3\n":                  "f.yaml:1:8: hosts is the number 3; expected NAME: VALUE",
		"hosts:\n  a:\n    mtu: no\n": "f.yaml:3:10: fact mtu=no",
		"nic: 10G\nnic: 1G\n":         "f.yaml:2:1: ",
		"nic: \"10G\n":                "f.yaml:1:",
		"nic: &a 10G\n":               "f.yaml:1:",
	} {
		got, err := Read("f.yaml", []byte(text))
		if err == nil {
			t.Errorf("%q is taken: %+v", text, got)
			continue
		}
		if !strings.HasPrefix(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %q does not begin with %q", text, err, says)
		}
	}
}

func FuzzRead(f *testing.F) {
	text, _ := os.ReadFile(filepath.Join("testdata", "cluster.yaml"))
	f.Add(text)
	f.Add([]byte("nic: 10G\nhosts: {a: {mtu: 9000}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, err := Read("f", text); (err == nil) == (len(got) == 0) {
			t.Fatalf("%d facts and error %v", len(got), err)
		}
	})
}
