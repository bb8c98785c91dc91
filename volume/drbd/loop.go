package drbd

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/internal/sleep"
)

func absolute(of string) bool { return path.IsAbs(of) && path.Clean(of) == of }

const loopScript = `modprobe -q loop 2>/dev/null
truncate -s "$2" -- "$1" || exit
losetup --find --show --direct-io=on -- "$1" 2>/dev/null || losetup --find --show -- "$1"`

// makeLoop creates a sparse file and returns a loop device on it, which bypasses the page
// cache if the file system allows it.
func makeLoop(ctx context.Context, at assay.Place, file string, bytes int64) (string, error) {
	text, err := run(ctx, at, "losetup", loopScript, file, strconv.FormatInt(bytes, 10))
	if err != nil {
		return "", err
	}
	device := strings.TrimSpace(string(text))
	if !strings.HasPrefix(device, "/dev/loop") {
		return "", fmt.Errorf("%s: unexpected output from losetup: %.100q", at.Host().Name, device)
	}
	return device, nil
}

const unloopScript = `[ -e "$1" ] || exit 0
for d in $(losetup --noheadings --output NAME --associated "$1"); do losetup --detach "$d" || exit; done
losetup --noheadings --output NAME --associated "$1"`

// removeLoops detaches the loop devices on the file in an assay directory. A device that is
// still open goes away when it is closed.
func removeLoops(ctx context.Context, at assay.Place, dir string) error {
	for try := 0; ; try++ {
		text, err := run(ctx, at, "losetup", unloopScript, path.Join(dir, "data"))
		left := strings.Join(strings.Fields(string(text)), " ")
		switch {
		case err != nil || left == "":
			return err
		case try == tries:
			return assay.WithHint("see what uses it (lsblk), then run: assay cleanup", "%s on %s is left: %w", left, at.Host().Name, assay.ErrBusy)
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// freeIn returns the free space in a directory's file system, less what assay
// keeps free.
func freeIn(ctx context.Context, at assay.Place, dir string) (int64, error) {
	text, err := run(ctx, at, "df", `df -P -B1 -- "$1" | tail -n 1`, dir)
	if err != nil {
		return 0, err
	}
	words := strings.Fields(string(text))
	if len(words) < 6 {
		return 0, fmt.Errorf("%s: df: %w", at.Host().Name, assay.ErrNoOutput)
	}
	size, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: df: %w", at.Host().Name, err)
	}
	free, err := strconv.ParseInt(words[3], 10, 64)
	return free - assay.KeepFree(size), err
}
