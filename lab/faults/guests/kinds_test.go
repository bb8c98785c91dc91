package guests

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/lab/faults/matrix"
)

func kinds(t *testing.T) []matrix.Kind {
	t.Helper()
	all, err := Kinds()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestKindsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	layers := map[matrix.Half]map[string]bool{matrix.Tuned: {}, matrix.Kept: {}}
	for _, k := range kinds(t) {
		if seen[k.Name] || k.Name == "" || k.Says == "" || len(k.Causes) == 0 {
			t.Errorf("%+v is given twice, or lacks a name, words or a cause", k)
		}
		seen[k.Name] = true
		layers[k.Half][k.Layer] = true
		for _, c := range k.Causes {
			if _, err := regexp.Compile("(?i)" + c); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
		if k.Sends+k.Host+k.Peer == "" && !k.Flaps && k.IOPS == 0 && k.Runs == 0 {
			t.Errorf("%s does nothing", k.Name)
		}
		if k.Receives+k.Other != "" || k.Hot || k.Off {
			t.Errorf("%s wants what a bed of guests does not do", k.Name)
		}
		if k.Sends != "" && len(k.Ways) == 0 {
			t.Errorf("%s is on the line, and has no way", k.Name)
		}
		if k.Runs < 0 || k.Runs >= 100 {
			t.Errorf("%s runs for %d %%", k.Name, k.Runs)
		}
	}
	for _, layer := range []string{"network", "storage", "cpu", "clock"} {
		if !layers[matrix.Tuned][layer] || !layers[matrix.Kept][layer] {
			t.Errorf("layer %s is not in both halves", layer)
		}
	}
	if names := Hosts; !slices.IsSorted(names) || len(names) < 3 {
		t.Errorf("hosts %q: fewer than three cannot be told apart", names)
	}
}

func TestScriptsAreShell(t *testing.T) {
	scripts := map[string]string{"dress": dress, "undo": undo}
	for _, k := range kinds(t) {
		for name, script := range map[string]string{"sends": k.Sends, "host": k.Host, "peer": k.Peer} {
			scripts[k.Name+"/"+name] = script
		}
	}
	for name, script := range scripts {
		c := exec.Command("sh", "-n")
		c.Stdin = strings.NewReader(prelude + script + "\n")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
