package shell

import (
	"os/exec"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, word := range []string{"", "plain", "a;reboot", "it's", "$HOME `id` \\", "two\nlines", "-n"} {
		got, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		if err != nil || string(got) != word {
			t.Errorf("sh read %q as %q, %v", word, got, err)
		}
	}
}
