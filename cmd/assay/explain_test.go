package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A finding is explained with its figures, its arithmetic and its rule's source.
func TestExplain(t *testing.T) {
	t.Parallel()
	db, file := filepath.Join(t.TempDir(), "assay.db"), "../../doc/examples/linstor.txt"
	for _, c := range []struct {
		word   string
		status int
		has    []string
	}{
		{"little@41", 0, []string{"569 IOPS x 1.75 ms", "storage.write.iops", "Operations Research 9", "line 4"}},
		{"little@1", exitUsage, []string{"little found nothing at line 1", "it found something at line 41"}},
		{"litle@41", exitUsage, []string{`unknown rule "litle"`}},
		{"little", exitUsage, []string{"is not RULE@LINE"}},
	} {
		got := verb(t, db, "audit", file, "--explain", c.word)
		for _, has := range c.has {
			if all := got.stdout + got.stderr; got.status != c.status || !strings.Contains(all, has) {
				t.Errorf("%s: status %d, want %q in\n%s", c.word, got.status, has, all)
			}
		}
	}
}
