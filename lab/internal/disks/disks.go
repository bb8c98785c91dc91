package disks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"assay/lab/internal/command"
)

// Make creates a disk image with ext4: sparse, so that it takes up only what is
// written.
func Make(ctx context.Context, image string, bytes int64, label string) error {
	f, err := os.OpenFile(image, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(bytes), f.Close()); err != nil {
		return err
	}
	_, err = command.Output(ctx, "", "mkfs.ext4", "-q", "-F", "-m", "0", "-L", label, image)
	return err
}

// Backings returns the file behind each loop device of the machine, as the kernel
// names it, by device name.
func Backings() map[string]string {
	all := map[string]string{}
	files, _ := filepath.Glob("/sys/class/block/loop*/loop/backing_file")
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil {
			all[filepath.Base(filepath.Dir(filepath.Dir(file)))] = strings.TrimSuffix(string(b), "\n")
		}
	}
	return all
}
