package matrix

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func kinds(t *testing.T) []Kind {
	t.Helper()
	all, err := Kinds()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// leastKinds is the minimum number of fault kinds in a matrix.
const leastKinds = 45

func TestKindsAreComplete(t *testing.T) {
	all := kinds(t)
	if len(all) < leastKinds {
		t.Errorf("%d kinds", len(all))
	}
	seen := map[string]bool{}
	layers := map[Half]map[string]bool{Tuned: {}, Kept: {}}
	halves := map[Half]int{}
	for _, k := range all {
		if seen[k.Name] || k.Name == "" || k.Says == "" || k.Layer == "" || len(k.Causes) == 0 {
			t.Errorf("%+v is given twice, or lacks a name, words, layer or cause", k)
		}
		seen[k.Name] = true
		layers[k.Half][k.Layer] = true
		halves[k.Half]++
		for _, c := range k.Causes {
			if _, err := regexp.Compile("(?i)" + c); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
		for _, w := range k.Ways {
			if !slices.Contains([]Way{In, Out, Both, Read, Write}, w) {
				t.Errorf("%s has a way %q", k.Name, w)
			}
		}
		if k.Sends+k.Receives+k.Host+k.Peer+k.Other == "" && !k.Hot && !k.Off {
			t.Errorf("%s does nothing", k.Name)
		}
		if (k.Sends+k.Receives != "") != (k.Layer == "network" && strings.Contains(k.Sends+k.Receives, " ")) {
			t.Errorf("%s is on the line, and not of layer network", k.Name)
		}
	}
	if d := halves[Tuned] - halves[Kept]; d < -1 || d > 1 {
		t.Errorf("%v are no halves", halves)
	}
	for _, layer := range []string{"network", "storage", "tool", "cpu", "memory", "clock", "software", "host"} {
		if !layers[Tuned][layer] || !layers[Kept][layer] {
			t.Errorf("layer %s is not in both halves", layer)
		}
	}
}

func TestScriptsAreShell(t *testing.T) {
	scripts := map[string]string{"dress": dress}
	for _, k := range kinds(t) {
		for name, script := range map[string]string{"sends": k.Sends, "receives": k.Receives, "host": k.Host, "peer": k.Peer, "other": k.Other} {
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

func TestKindOfNoName(t *testing.T) {
	if _, err := Named(kinds(t), "gremlins"); err == nil || !strings.Contains(err.Error(), `"gremlins"`) {
		t.Errorf("%v", err)
	}
}
