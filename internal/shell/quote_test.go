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

func TestSbin(t *testing.T) {
	argv := Sbin("printenv", "PATH")
	c := exec.Command(argv[0], argv[1:]...)
	c.Env = []string{"PATH=/usr/bin:/bin"}
	if got, err := c.Output(); err != nil || string(got) != "/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin\n" {
		t.Errorf("PATH is %q, %v", got, err)
	}
}
