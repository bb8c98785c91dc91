package vfat

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, files ...File) string {
	t.Helper()
	image, err := Image("CIDATA", files...)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Image("CIDATA", files...); err != nil || !bytes.Equal(again, image) || len(image) != Bytes {
		t.Errorf("another image, %v, of %d bytes", err, len(image))
	}
	name := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(name, image, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// tool runs a program that knows FAT; the test is skipped if there is none.
func tool(t *testing.T, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	return string(out)
}

// Other programs read back what was put into the image.
func TestOthersReadIt(t *testing.T) {
	long := strings.Repeat("0123456789abcdef\n", 10000)
	name := write(t, File{"user-data", []byte(long)}, File{"empty", nil}, File{"exactly-13-ab", []byte(strings.Repeat("x", sector))})
	t.Run("blkid", func(t *testing.T) {
		if out := tool(t, "blkid", "-p", "-o", "export", name); !strings.Contains(out, "LABEL=CIDATA\n") || !strings.Contains(out, "TYPE=vfat\n") {
			t.Error(out)
		}
	})
	t.Run("fsck.fat", func(t *testing.T) {
		if out := tool(t, "fsck.fat", "-n", "-v", name); !strings.Contains(out, "4 files, 334/512 clusters") {
			t.Error(out)
		}
	})
	t.Run("mtools", func(t *testing.T) {
		if out := tool(t, "mdir", "-b", "-i", name, "::"); out != "::/user-data\n::/empty\n::/exactly-13-ab\n" {
			t.Errorf("%q", out)
		}
		for file, want := range map[string]string{"user-data": long, "empty": "", "exactly-13-ab": strings.Repeat("x", sector)} {
			if out := tool(t, "mtype", "-i", name, "::"+file); out != want {
				t.Errorf("%s has %d bytes: %.40q", file, len(out), out)
			}
		}
	})
}

func TestWhatDoesNotGo(t *testing.T) {
	for _, label := range []string{"", "cidata", "ABCDEFGHIJKL", "A B"} {
		if _, err := Image(label); err == nil {
			t.Errorf("label %q goes", label)
		}
	}
	for want, f := range map[string]File{"no room": {"x", make([]byte, clusters*sector+1)}, "no name": {"", nil}, "\"a/b\"": {"a/b", nil}, "\"exactly-14-abc\"": {"exactly-14-abc", nil}} {
		if _, err := Image("A", f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Image("A", File{"x", make([]byte, clusters*sector)}); err != nil {
		t.Error(err)
	}
}
