package ssh

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"assay/internal/lazyregexp"
)

// controlDir is a directory for the sockets of one place, and for this user
// alone. Its lock is held for as long as it is in use: the kernel gives the lock
// back when assay is killed, so that a later one can tell what is left.
type controlDir struct {
	path string
	lock *os.File
}

const controlPrefix = "assay-ssh-"

var controlName = lazyregexp.New(`^` + controlPrefix + `[0-9]+$`)

// newControlDir makes one in the directory for temporary files, or in /tmp where
// the former's path is too long for a socket. What killed ones have left there
// is removed.
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
		// Another assay took it for abandoned before it was locked.
		if try == 5 {
			return nil, err
		}
	}
}

// remove removes the directory with all that is in it.
func (d *controlDir) remove() error {
	return errors.Join(os.RemoveAll(d.path), d.lock.Close())
}

// lockDir takes the lock of a directory that is still there.
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

// sweepControlDirs removes the user's own control directories that nobody holds:
// nothing but sockets in them, and no directory that holds something else.
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
