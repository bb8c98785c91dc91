package ceph

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func learn(text []byte, f *assay.Facts) error {
	return New().Learn(assay.Transcript{Probe: kind, Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}, f)
}

func TestLearn(t *testing.T) {
	for name, want := range map[string]assay.StackFacts{
		"pacific-status.txt":       {Health: "HEALTH_WARN", Drives: 3},
		"pacific-status.json":      {Health: "HEALTH_WARN", Drives: 3},
		"pacific-status-line.json": {Health: "HEALTH_WARN", Drives: 3},
		"pacific-osd-tree.txt":     {Drives: 3, Nodes: 1},
		"pacific-osd-tree.json":    {Drives: 3, Nodes: 1},
		"pacific-osd-df.txt":       {Drives: 3},
		"pacific-osd-df.json":      {Drives: 3},
		"pacific-osd-df-tree.txt":  {Drives: 3, Nodes: 1},
		"pacific-pools.txt":        {}, // one pool keeps three copies, another one
		"pacific-pools.json":       {},
		"pacific-version.txt":      {Version: "16.2.15"},
		"jewel-status.txt":         {Health: "HEALTH_WARN", Drives: 9},
		"luminous-status.txt":      {Health: "HEALTH_OK", Drives: 9},
		"luminous-osd-df-tree.txt": {Drives: 12, Nodes: 4},
		"luminous-pools.txt":       {Copies: 3},
		"reef-status.txt":          {Health: "HEALTH_OK", Drives: 9},
	} {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{captured.Text(t, name), "\n" + strings.ReplaceAll(captured.Text(t, name), "\n", "\r\n") + "\r\nand that was all\r\n"} {
				var f assay.Facts
				if err := learn([]byte(text), &f); err != nil {
					t.Fatal(err)
				}
				want.Kind = "ceph"
				if !reflect.DeepEqual(*f.Stack, want) {
					t.Errorf("learns %+v, want %+v", *f.Stack, want)
				}
			}
		})
	}
}

func TestLearnsOneAfterTheOther(t *testing.T) {
	f := assay.Facts{Stack: &assay.StackFacts{Copies: 2, Mesh: true, Write: 3100e6}}
	given := f.Stack
	for _, name := range []string{"reef-status.txt", "luminous-osd-df-tree.txt", "pacific-version.txt", "pacific-pools.txt"} {
		if err := learn(captured.Bytes(t, name), &f); err != nil {
			t.Fatal(err)
		}
	}
	want := assay.StackFacts{Kind: "ceph", Version: "16.2.15", Health: "HEALTH_OK", Drives: 12, Nodes: 4, Copies: 2, Mesh: true, Write: 3100e6}
	if !reflect.DeepEqual(*f.Stack, want) || given.Kind != "" {
		t.Errorf("learns %+v, want %+v; was given %+v", *f.Stack, want, *given)
	}
}

func TestTextOfPools(t *testing.T) {
	for text, want := range map[string]int{
		"pool 1 '.mgr' replicated size 3 min_size 2 crush_rule 0\npool 2 'prbd' replicated size 2 min_size 1 crush_rule 0": 2,
		"pool 3 'ecdata' erasure profile k2m1 size 3 min_size 2 crush_rule 1":                                              0,
		"pool 0 'rbd' replicated size 3 min_size 2 crush_ruleset 0 object_hash rjenkins":                                   3,
	} {
		var f assay.Facts
		if err := learn([]byte(text), &f); err != nil || f.Stack.Copies != want {
			t.Errorf("%q: %+v, %v; want %d copies", text, f.Stack, err, want)
		}
	}
}

func TestDrivesThatAreDownDoNotCount(t *testing.T) {
	text := strings.Replace(captured.Text(t, "pacific-osd-tree.txt"), "osd.2      up", "osd.2    down", 1)
	var f assay.Facts
	if err := learn([]byte(text), &f); err != nil || f.Stack.Drives != 2 {
		t.Errorf("%+v, %v", f.Stack, err)
	}
}

func TestRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                                     "no health, drives",
		"pool 'one' created\n":                 "no health, drives",
		"size: 3\n":                            "no health, drives",
		`{"fsid":"x","health"`:                 "line 1: broken or truncated JSON",
		"\n{\"osdmap\":{\"num_in_osds\":-3}}":  "line 2: num_in_osds is -3",
		"osd: 9 osds: 9 up, 99999999 in\n":     "line 1: 99999999 is impossible",
		`{"osdmap":{"num_in_osds":100000000}}`: "which is impossible",
	} {
		f := assay.Facts{Host: "a"}
		if err := learn([]byte(text), &f); err == nil || !strings.Contains(err.Error(), says) || f.Stack != nil {
			t.Errorf("%q gives %v and %+v, want %q", text, err, f.Stack, says)
		}
	}
	f := assay.Facts{Stack: &assay.StackFacts{Kind: "drbd"}}
	if err := learn(captured.Bytes(t, "reef-status.txt"), &f); err == nil || f.Stack.Kind != "drbd" {
		t.Errorf("another stack gives %v and %+v", err, f.Stack)
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	names, _ := filepath.Glob("testdata/*.txt")
	text := ""
	for _, name := range names {
		text += captured.Text(t, filepath.Base(name))
	}
	parts, open := 0, ""
	for line := range strings.Lines(text) {
		if f.Begins(strings.TrimSuffix(line, "\n")) && (open == "" || f.Splits([]byte(open), line)) {
			parts, open = parts+1, ""
		}
		open += line
	}
	if parts != len(names) {
		t.Errorf("%d outputs, want %d", parts, len(names))
	}
	captured.Begins(t, f, nil, []string{
		"", "cluster:", "  id: 5", "    health: HEALTH_OK", "pool: tank", "pool 1 of 3", "ID NAME WEIGHT", "ceph version 16", "  uuid: f719d3e8-52ff-11e8-91f4-00163e5622ff",
		"and ceph version 12.2.4 is old",
	})
	if !f.Accepts([]string{"fsid", "health", "osdmap"}) || !f.Accepts([]string{"nodes", "stray", "summary"}) || !f.Accepts([]string{"pool_id", "pool_name", "type", "size", "min_size"}) ||
		f.Accepts([]string{"nodes"}) || f.Accepts([]string{"health"}) || f.Accepts(nil) {
		t.Error("takes the wrong keys")
	}
}

func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) < 15 {
		f.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var facts assay.Facts
		if err := learn(text, &facts); err != nil {
			if facts.Stack != nil || err.Error() == "" {
				t.Fatalf("%+v with %q", facts.Stack, err)
			}
			return
		}
		if s := facts.Stack; s.Kind != kind || s.Drives < 0 || s.Drives > most || s.Nodes < 0 || s.Copies < 0 || s.Copies > most {
			t.Fatalf("%+v", s)
		}
	})
}
