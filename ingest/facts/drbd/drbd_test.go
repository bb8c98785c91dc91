package drbd

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func learn(text string, f assay.Facts) (assay.Facts, error) {
	return captured.Learn(New(), text, "", f)
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file string
		want assay.StackFacts
	}{
		{"ha-exporter.json", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, Health: "UpToDate"}},
		{"tiebreaker.json", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, Health: "Inconsistent"}},
		{"one-peer-gone.json", assay.StackFacts{Kind: "drbd", Copies: 3, Remote: 2, Nodes: 3, Health: "Connecting"}},
		{"drbdadm.txt", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, Health: "UpToDate"}},
		{"volumes.txt", assay.StackFacts{Kind: "drbd", Copies: 3, Remote: 2, Nodes: 3, Health: "Inconsistent"}},
		{"status-8.4.txt", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, Health: "UpToDate"}},
		{"no-peers.txt", assay.StackFacts{Kind: "drbd", Copies: 1, Remote: 0, Nodes: 1, Health: "Connecting"}},
		{"proc-8.4.txt", assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Nodes: 2, Health: "UpToDate", Protocol: "C", Version: "8.4.11"}},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with prose after it": captured.Text(t, c.file) + "\nThe disk: it is fine, role:Primary all over.\n",
		} {
			f, err := learn(text, assay.Facts{})
			if err != nil || f.Stack == nil || !reflect.DeepEqual(*f.Stack, c.want) {
				t.Errorf("%s %s: %v, %+v", c.file, name, err, f.Stack)
			}
		}
	}
}

// The least replicated resource counts; other known facts stay.
func TestSeveralAndKnown(t *testing.T) {
	known := assay.Facts{Stack: &assay.StackFacts{Kind: "drbd", Local: 1e-3, Protocol: "C", Copies: 7}}
	f, err := learn(captured.Text(t, "drbdadm.txt")+captured.Text(t, "no-peers.txt"), known)
	if err != nil || f.Stack.Copies != 1 || f.Stack.Remote != 0 || f.Stack.Local != 1e-3 || f.Stack.Protocol != "C" {
		t.Errorf("%v, %+v", err, f.Stack)
	}
	if known.Stack.Copies != 7 {
		t.Error("what was given was changed")
	}
	if f, err = learn(captured.Text(t, "drbdadm.txt"), assay.Facts{Stack: &assay.StackFacts{Kind: "ceph", Drives: 12}}); err != nil || f.Stack.Kind != "drbd" || f.Stack.Drives != 0 {
		t.Errorf("%v, %+v", err, f.Stack)
	}
}

// The first releases of 9.0 also wrote disk for a peer's disk.
func TestPeersOfEarlyReleases(t *testing.T) {
	f, err := learn("home role:Secondary\n  disk:UpToDate\n  nina role:Secondary\n    disk:UpToDate\n  nino role:Secondary\n    disk:UpToDate\n", assay.Facts{})
	if err != nil || f.Stack.Copies != 3 || f.Stack.Remote != 2 || f.Stack.Nodes != 3 || f.Stack.Health != "UpToDate" {
		t.Errorf("%v, %+v", err, f.Stack)
	}
}

// A client without its own disk writes to two copies, both on other nodes.
func TestDisklessClient(t *testing.T) {
	f, err := learn("vm role:Primary\n  disk:Diskless\n  a role:Secondary\n    peer-disk:UpToDate\n  b role:Secondary\n    peer-disk:UpToDate\n", assay.Facts{})
	if err != nil || f.Stack.Copies != 2 || f.Stack.Remote != 2 || f.Stack.Nodes != 2 || f.Stack.Health != "UpToDate" {
		t.Errorf("%v, %+v", err, f.Stack)
	}
}

func TestLearnRefuses(t *testing.T) {
	whole := captured.Text(t, "ha-exporter.json")
	for name, c := range map[string]struct{ text, says string }{
		"no module":    {captured.Text(t, "no-module.txt"), "Failed to modprobe drbd"},
		"cut off JSON": {whole[:len(whole)/2], "truncated JSON"},
		"other JSON":   {`[{"name": "x"}]`, "no resource"},
		"cut off text": {"r0 role:Primary\n", "resource r0 ends before its disk state"},
		"no resource":  {"[]\n", "no resource"},
		"nothing":      {"", "no resource"},
	} {
		f, err := learn(c.text, assay.Facts{})
		if err == nil || !strings.Contains(err.Error(), c.says) || f.Stack != nil {
			t.Errorf("%s: %v, %+v", name, err, f.Stack)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{"resource0 role:Primary", "one-vm-5629-disk-0 role:Secondary", "version: 8.4.11 (api:1/proto:86-101)", " 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----"}, []string{"", "  mgt2 role:Secondary", "version: 2.0 (beta)", "the role: Primary", "  disk:UpToDate"})
	if f.Splits(nil, "resource1 role:Primary") || !f.Splits(nil, "[{") {
		t.Error("the next resource is not told from the next output")
	}
	if !f.Accepts([]string{"name", "node-id", "role", "suspended", "write-ordering", "devices", "connections"}) || f.Accepts([]string{"name", "role", "devices"}) {
		t.Error("JSON is not told apart")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := learn(text, assay.Facts{})
		if (err == nil) != (facts.Stack != nil) {
			t.Fatalf("%+v and error %v", facts.Stack, err)
		}
		if s := facts.Stack; s != nil && (s.Remote > s.Copies || s.Copies < 0 || s.Health == "") {
			t.Errorf("%+v", s)
		}
	})
}
