package dir

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"assay"
	"assay/place/local"
)

// with is this machine with another shell in place of sh.
type with struct {
	assay.Place
	shell []string
}

func (w with) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == "sh" {
		c.Argv = append(w.shell[:len(w.shell):len(w.shell)], c.Argv[1:]...)
	}
	return w.Place.Run(ctx, c)
}

const stranger = 4711

// Nothing is made where another user could substitute a link, and nothing that may
// have changed meanwhile is removed blindly.
func TestOthersMayNotRename(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give directories to others")
	}
	own := func(t *testing.T, dir string, uid, gid int, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.Chown(dir, uid, gid), os.Chmod(dir, mode)); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		parent, dir func(t *testing.T, d string)
		sudo, says  string
	}{
		"root's":                       {},
		"root's, sticky":               {dir: func(t *testing.T, d string) { own(t, d, 0, 0, 0o777|os.ModeSticky) }},
		"another user's":               {dir: func(t *testing.T, d string) { own(t, d, stranger, 0, 0o755) }, says: "user 4711 owns"},
		"another user's, sticky":       {dir: func(t *testing.T, d string) { own(t, d, stranger, 0, 0o777|os.ModeSticky) }, says: "user 4711 owns"},
		"anybody's":                    {dir: func(t *testing.T, d string) { own(t, d, 0, 0, 0o777) }, says: "anybody may rename"},
		"a group's":                    {dir: func(t *testing.T, d string) { own(t, d, 0, stranger, 0o775) }, says: "group 4711 may rename"},
		"a group's, with its bit":      {dir: func(t *testing.T, d string) { own(t, d, 0, stranger, 0o775|os.ModeSetgid) }, says: "group 4711 may rename"},
		"below another user's":         {parent: func(t *testing.T, d string) { own(t, d, stranger, 0, 0o755) }, says: "user 4711 owns"},
		"below anybody's":              {parent: func(t *testing.T, d string) { own(t, d, 0, 0, 0o777) }, says: "anybody may rename"},
		"of the one who ran sudo":      {dir: func(t *testing.T, d string) { own(t, d, stranger, 0, 0o755) }, sudo: "4711"},
		"of another than who ran sudo": {dir: func(t *testing.T, d string) { own(t, d, stranger, 0, 0o755) }, sudo: "4712", says: "user 4711 owns"},
	}
	for _, shell := range [][]string{{"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("without %s", shell[0])
			continue
		}
		for name, c := range cases {
			t.Run(shell[0]+"/"+name, func(t *testing.T) {
				t.Setenv("SUDO_UID", c.sudo)
				parent := filepath.Join(t.TempDir(), "a b")
				dir := filepath.Join(parent, "c")
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if c.parent != nil {
					c.parent(t, parent)
				}
				if c.dir != nil {
					c.dir(t, dir)
				}
				v, at := New(), with{local.New("here", ""), shell}
				r, err := v.Reserve(t.Context(), nil, subject(dir), assay.Request{ID: "0123456789abcdef", Bytes: 1 << 20})
				if err != nil {
					t.Fatal(err)
				}
				s, err := v.Lend(t.Context(), at, r)
				left, _ := os.ReadDir(dir)
				switch {
				case c.says == "" && (err != nil || s.Dir != r.Names["dir"] || len(left) != 1):
					t.Fatalf("lent %+v, %v", s, err)
				case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || assay.Hint(err) == "" || len(left) > 0):
					t.Fatalf("lent %+v, %v; there is %v", s, err, left)
				}
				if err := v.Release(t.Context(), at, r); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// The user's own group may write; others added by an access control list may not.
func TestAnAccessControlListIsSeen(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to become another user")
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip("no setpriv here")
	}
	dir, err := os.MkdirTemp("/run", "acl-") // only root may rename below it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	// The user and the group have the same name, as dir.sh requires.
	fake := filepath.Join(dir, "bin")
	if err := errors.Join(os.Mkdir(fake, 0o755), os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(fake, "id"), []byte("#!/bin/sh\ncase $1 in -u | -g) echo 4711 ;; *) echo me ;; esac\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "own")
	if err := errors.Join(os.Mkdir(own, 0o755), os.Chown(own, stranger, stranger), os.Chmod(own, 0o775)); err != nil {
		t.Fatal(err)
	}
	made := func() (string, error) {
		cmd := exec.Command("setpriv", "--reuid=4711", "--regid=4711", "--clear-groups", "env", "PATH="+fake+":"+os.Getenv("PATH"), "sh", "-s", "--", "make", filepath.Join(own, ".assay-0123456789abcdef"))
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := made(); err != nil {
		t.Fatalf("in a directory of one's own: %v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(own, ".assay-0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	list := []byte{2, 0, 0, 0} // version, then tag, permissions and id of each entry
	for _, e := range []struct {
		tag, may uint16
		id       uint32
	}{{0x01, 7, 1<<32 - 1}, {0x02, 7, stranger + 1}, {0x04, 7, 1<<32 - 1}, {0x10, 7, 1<<32 - 1}, {0x20, 5, 1<<32 - 1}} {
		list = binary.LittleEndian.AppendUint16(list, e.tag)
		list = binary.LittleEndian.AppendUint16(list, e.may)
		list = binary.LittleEndian.AppendUint32(list, e.id)
	}
	if err := unix.Setxattr(own, "system.posix_acl_access", list, 0); err != nil {
		t.Skipf("no access control lists on /run: %v", err)
	}
	if out, err := made(); err == nil || !strings.Contains(out, "an access control list lets others rename") {
		t.Errorf("with another user in its list: %v: %s", err, out)
	}
}

// A link to a directory is followed once: what is lent has a path without links, so
// it does not matter who controls the link afterwards.
func TestLinksAreFollowedOnce(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	target, link := filepath.Join(base, "target"), filepath.Join(base, "link")
	if err := errors.Join(os.Mkdir(target, 0o755), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	s, err := lend(t, link, 1<<20)
	if err != nil || s.Dir != filepath.Join(target, ".assay-0123456789abcdef") || s.File != s.Dir+"/data" {
		t.Errorf("lent %+v, %v", s, err)
	}
}

// The attack that overwrote root's files: the owner of the directory replaces the
// scratch directory with a link as soon as it exists.
func TestALinkInPlaceOfTheScratchDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a directory to another user")
	}
	v, at := New(), local.New("here", "")
	dir, victim := t.TempDir(), t.TempDir()
	precious := filepath.Join(victim, "data")
	if err := os.WriteFile(precious, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := v.Reserve(t.Context(), nil, subject(dir), assay.Request{ID: "0123456789abcdef", Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	// Meanwhile the directory gets another owner, and its content is swapped.
	mine := r.Names["dir"]
	if err := errors.Join(os.Chown(dir, stranger, stranger), os.Rename(mine, mine+"-was"), os.Symlink(victim, mine)); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(t.Context(), at, r); err == nil || !strings.Contains(err.Error(), "safely: user 4711 owns "+dir) {
		t.Errorf("released: %v", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
	if _, err := New().Lend(t.Context(), at, r); err == nil {
		t.Error("lent in a directory of another user")
	}
}
