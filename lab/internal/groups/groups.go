package groups

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/lab/internal/wait"
)

// Remove removes control groups and those below them. No process is in them, or
// none will be soon.
func Remove(ctx context.Context, all ...string) error {
	left, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		var left error
		for _, group := range all {
			left = errors.Join(left, remove(group))
		}
		return left
	})
	return errors.Join(left, err)
}

// remove removes a group from the bottom up: the kernel cannot remove a tree at
// once, nor can a group's files be removed.
func remove(group string) (left error) {
	var dirs []string
	_ = filepath.WalkDir(group, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			dirs = append(dirs, path)
		}
		return nil // one that disappeared
	})
	slices.Reverse(dirs)
	for _, dir := range dirs {
		if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = err
		}
	}
	return left
}
