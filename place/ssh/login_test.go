package ssh

import (
	"strings"
	"testing"

	"assay/place/remote"
)

// Any login shell may be in use: each must see a single word in single quotes.
func TestLoginCommandIsPlain(t *testing.T) {
	for _, text := range []string{remote.Reader, asRoot} {
		if at := strings.IndexAny(text, "'\\!\n\t"); at >= 0 {
			t.Errorf("%q at %d of %q", text[at], at, text)
		}
	}
}
