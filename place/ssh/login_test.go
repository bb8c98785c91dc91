package ssh

import (
	"strings"
	"testing"

	"assay/place/remote"
)

// The login shell may be any: what it sees must be one word between single
// quotes to each of them.
func TestLoginCommandIsPlain(t *testing.T) {
	for _, text := range []string{remote.Reader, asRoot} {
		if at := strings.IndexAny(text, "'\\!\n\t"); at >= 0 {
			t.Errorf("%q at %d of %q", text[at], at, text)
		}
	}
}
