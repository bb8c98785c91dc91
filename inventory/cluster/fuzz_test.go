package cluster

import (
	"regexp"
	"strings"
	"testing"

	"assay/volume/all"
)

var placed = regexp.MustCompile(`^x\.yaml:(\d+:\d+: .|( and|:? ?and) \d+ more)`)

// Read returns on any text; what it accepts is safe to pass to ssh and valid by
// the schema; what it rejects is reported with a position.
func FuzzRead(f *testing.F) {
	for _, folder := range []string{"valid", "invalid", "wrong"} {
		for _, text := range files(f, folder) {
			f.Add(text)
		}
	}
	s := compiled(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Read("x.yaml", text, all.Kinds()...)
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			if !placed.MatchString(first) {
				t.Fatalf("no place: %s", first)
			}
			return
		}
		if len(c.Hosts) == 0 && c.Kubernetes == nil {
			t.Fatal("a cluster without hosts")
		}
		owner := map[string]string{}
		for _, h := range c.Hosts {
			if _, reached := h.Agent(); reached && ValidName(h.Name) && c.Host(h.Guest.On) != nil && h.Address == "" {
				continue
			}
			if !ValidName(h.Name) || !ValidAddress(h.Address) || h.User != "" && !ValidUser(h.User) {
				t.Fatalf("%+v", h)
			}
			way := sameAddress(h.Address) + " " + portWord(h.Port)
			if owner[way] != "" {
				t.Fatalf("%s reaches %s and %s", way, owner[way], h.Name)
			}
			owner[way] = h.Name
		}
		for _, n := range c.Networks {
			if len(n.Hosts) < 2 {
				t.Fatalf("%+v", n)
			}
			for _, e := range n.Hosts {
				if c.Host(e.Host) == nil || !e.Address.IsValid() {
					t.Fatalf("%+v", n)
				}
			}
		}
		if err := judge(s, text); err != nil {
			t.Fatalf("read, but not valid by the schema: %v", err)
		}
	})
}
