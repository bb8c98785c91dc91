package ssh

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"assay/internal/lazyregexp"
)

// controlDir is a directory for the sockets of one place, private to this user.
// Its lock is held while it is in use: the kernel releases it when assay is
// killed, so a later assay can tell which directories are abandoned.
type controlDir struct {
	path string
	lock *os.File
}

const controlPrefix = "assay-ssh-"

var controlName = lazyregexp.New(`^` + controlPrefix + `[0-9]+$`)

// newControlDir creates one in the directory for temporary files, or in /tmp if
// that path is too long for a socket. It removes what killed processes left
// there.
func newControlDir() (*controlDir, error) {
	parent := os.TempDir()
	if len(parent) > longestSocket-32 {
		parent = "/tmp"
	}
	sweepControlDirs(parent)
	for try := 1; ; try++ {
		path, err := os.MkdirTemp(parent, controlPrefix) // 0700
		if err != nil {
			return nil, err
		}
		lock, err := lockDir(path)
		if err == nil {
			return &controlDir{path, lock}, nil
		}
		// Another assay took it for abandoned before we locked it.
		if try == 5 {
			return nil, err
		}
	}
}

// remove removes the directory and its contents.
func (d *controlDir) remove() error {
	return errors.Join(os.RemoveAll(d.path), d.lock.Close())
}

// lockDir locks a directory and checks that it still exists.
func lockDir(path string) (*os.File, error) {
	d, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

// sweepControlDirs removes the user's own control directories that nobody holds.
// It deletes only sockets in them, and keeps directories with other contents.
func sweepControlDirs(parent string) {
	all, _ := filepath.Glob(filepath.Join(parent, controlPrefix+"*"))
	for _, path := range all {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !isOwn(info) || !controlName.MatchString(filepath.Base(path)) {
			continue
		}
		lock, err := lockDir(path)
		if err != nil {
			continue
		}
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if e.Type()&fs.ModeSocket != 0 {
				_ = os.Remove(filepath.Join(path, e.Name()))
			}
		}
		_ = os.Remove(path)
		_ = lock.Close()
	}
}

func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
