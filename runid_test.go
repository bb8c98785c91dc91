package assay

import (
	"errors"
	"strings"
	"testing"
)

func TestRunIDs(t *testing.T) {
	for _, id := range []string{"20261121-200512-0a1b2c", "a", "7", "A.b_c+d-e", "latest-2", strings.Repeat("x", 100)} {
		if err := CheckRunID(id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{
		"", "latest", "-o", "--all", ".", "..", "../../etc/passwd", "a/b", "host=vm", "a b", "a,b", "a*", "x\nVICTIM=1", "x\n",
		"x\x00", "a\x1b[1m", "ä", "a\u202eb", "a\xff", "$(id)", "'", `a\b`, "%_", strings.Repeat("x", 101),
	} {
		if err := CheckRunID(id); !errors.Is(err, ErrRunID) || Hint(err) == "" || strings.ContainsAny(err.Error(), "\n\x1b\x00") {
			t.Errorf("%q: %v (hint %q)", id, err, Hint(err))
		}
	}
}
