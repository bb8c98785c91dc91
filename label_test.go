package assay

import (
	"errors"
	"strings"
	"testing"
)

func TestParseLabel(t *testing.T) {
	for word, want := range map[string]string{
		"job=nightly": "job|nightly", "kernel=6.12 rc=1": "kernel|6.12 rc=1", "Rack.2_a-b=µ": "Rack.2_a-b|µ", "a=" + strings.Repeat("µ", 100): "a|" + strings.Repeat("µ", 100),
		"job": "", "=x": "", "job=": "", "1a=x": "", "a b=x": "", "a/b=x": "", "a=x\ny": "", "a=x\x1b[1m": "", "a=\xff": "", "a=x,y": "", "a=x*": "", "a= x": "",
		strings.Repeat("a", 64) + "=x": "", "a=" + strings.Repeat("x", 101): "",
	} {
		name, value, err := ParseLabel(word)
		switch {
		case want == "" && (!errors.Is(err, ErrLabel) || Hint(err) == "" || strings.ContainsAny(err.Error(), "\n\x1b")):
			t.Errorf("%q: %q %q, %v", word, name, value, err)
		case want != "" && (err != nil || name+"|"+value != want):
			t.Errorf("%q: %q %q, %v", word, name, value, err)
		}
	}
}
