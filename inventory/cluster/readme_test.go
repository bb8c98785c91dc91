package cluster

import (
	"os"
	"strings"
	"testing"
)

// The README's failover.yaml comes in two parts; the test adds the hosts that it has no room
// for.
func TestTheReadmesFailovers(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var file strings.Builder
	for i, part := range strings.Split(string(text), "```yaml\n")[1:] {
		part, _, _ = strings.Cut(part, "```")
		switch {
		case strings.HasPrefix(part, "# failover.yaml\n"):
			file.WriteString(strings.Replace(part, "hosts:\n", "hosts:\n  pve1: {}\n  pve2: {}\n  pve3: {}\n  nas: {}\n  k1: {}\n  k2: {}\n", 1))
		case strings.HasPrefix(part, "# failover.yaml, continued"), file.Len() > 0 && strings.HasPrefix(part, "    load:"):
			if file.Len() == 0 {
				t.Fatalf("part %d continues nothing", i)
			}
			file.WriteString(part)
		}
	}
	c, err := Read("failover.yaml", []byte(file.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, file.String())
	}
	names := map[string]bool{}
	for _, e := range c.Failover {
		names[e.Name] = true
		if (e.Name == "guest" || e.Name == "controller") && (e.Whole == "" || e.Failback == "") {
			t.Errorf("%s: %+v", e.Name, e)
		}
	}
	for _, name := range []string{"vip", "monitor", "osd", "controller", "pod", "node", "guest"} {
		if !names[name] {
			t.Errorf("%s is not among %v", name, names)
		}
	}
}
