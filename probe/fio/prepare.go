package fio

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/winfile"
	"assay/internal/winpath"
)

// Prepare fills the scratch file sequentially with incompressible data, so that every block
// measured later has been written. If on.Length runs out first, the file is cut to a size
// that evenly returns. Direct I/O is used if the file system supports it, else buffered
// writes and an fsync.
//
// The returned scratch space is at least 64 MiB, or 4 MiB for rate-limited operations.
func (*Probe) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	tr := transcriptOf(t)
	rate, _ := strconv.Atoi(t.Settings["rate_iops"])
	least := settings{rate: rate}.least()
	if on.Scratch.Bytes < least {
		return tr, on.Scratch, tooSmall(t, "lent", on.Scratch.Bytes)
	}
	written, err := fill(ctx, &tr, t, on)
	if err != nil {
		return tr, on.Scratch, err
	}
	ready := on.Scratch
	if ready.Bytes = on.Scratch.Bytes / mib * mib; written < ready.Bytes {
		ready.Bytes = evenly(written)
	}
	if ready.Bytes < least {
		return tr, on.Scratch, tooSmall(t, "written", written)
	}
	if ready.Image != nil {
		return tr, ready, nil
	}
	return tr, ready, settle(ctx, &tr, on.Place, ready)
}

func tooSmall(t assay.Trial, what string, bytes int64) error {
	return assay.WithHint("give it more time or more space",
		"trial %s: only %d MiB of scratch space were %s, too little to measure", t.ID, bytes/mib, what)
}

// fill writes the file and returns the number of bytes written from its
// beginning.
func fill(ctx context.Context, tr *assay.Transcript, t assay.Trial, on assay.Bench) (int64, error) {
	step, direct := stepPrepare, true
	for {
		argv, err := prepareArgv(t, on.Scratch, on.Length, direct)
		if err != nil {
			return 0, err
		}
		_, err = carryOut(ctx, tr, on.Place, step, assay.Cmd{Argv: argv, Timeout: prepareBound(on), Env: reach(on.Scratch)})
		if errors.Is(err, assay.ErrTimeout) {
			return 0, assay.WithHint("use a larger --time-budget, or another directory", "preparing %s: %w", nameOf(on.Scratch), err)
		}
		if err != nil {
			return 0, err
		}
		written, err := writtenBytes(tr.Step(step))
		if direct && errors.Is(err, errDirect) {
			step, direct = stepPrepareBuffered, false
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("%s: preparing %s: %w", on.Place.Host().Name, nameOf(on.Scratch), err)
		}
		return min(written, on.Scratch.Bytes), nil
	}
}

// prepareBound returns when a hanging preparation is abandoned: after its own
// time and the time to flush what buffered writes left behind, which is little
// (see prepareArgv). Without a time limit, it is what a 4 MiB/s drive would
// need.
func prepareBound(on assay.Bench) time.Duration {
	if on.Length > 0 {
		return 2*on.Length + 30*time.Second
	}
	return time.Duration(on.Scratch.Bytes/(4*mib))*time.Second + 10*time.Minute
}

// writtenBytes returns what fio reports as written.
func writtenBytes(step *assay.Step) (int64, error) {
	doc, err := lastDocument(step)
	if err != nil {
		return 0, err
	}
	var total float64
	for _, j := range doc.jobs {
		if j.write != nil {
			bytes, err := j.write.bytes()
			if err != nil {
				return 0, err
			}
			total += bytes
		}
	}
	if total <= 0 {
		return 0, fmt.Errorf("fio wrote nothing: %w", assay.ErrNoOutput)
	}
	return int64(total), nil
}

// settle truncates a regular file to the bytes written, and checks that it is
// not sparse. A device is left as it is.
func settle(ctx context.Context, tr *assay.Transcript, at assay.Place, s assay.Scratch) error {
	if winpath.Absolute(s.File) {
		return winfile.Settle(ctx, at, s)
	}
	f, err := look(ctx, tr, at, s.File)
	if err != nil || !f.regular {
		return err
	}
	if f.size > s.Bytes {
		argv := []string{"truncate", "-s", strconv.FormatInt(s.Bytes, 10), s.File}
		out, err := runStep(ctx, tr, at, stepTruncate, argv, time.Minute)
		if err != nil {
			return err
		}
		if out.Exit != 0 {
			return fmt.Errorf("%s: truncate %s: %s", at.Host().Name, s.File, firstLine(out.Stderr, out.Exit))
		}
		if f, err = look(ctx, tr, at, s.File); err != nil {
			return err
		}
	}
	if f.size != s.Bytes {
		return fmt.Errorf("%s: %s is %d bytes long after %d bytes were written", at.Host().Name, s.File, f.size, s.Bytes)
	}
	if f.allocated >= s.Bytes {
		return nil
	}
	tells, err := tellsAllocation(ctx, tr, at, s.File)
	if err != nil || !tells {
		return err
	}
	return assay.WithHint("check for compression or deduplication below "+s.File+"?",
		"%s: %s holds %d bytes but only %d are allocated: it is sparse",
		at.Host().Name, s.File, f.size, f.allocated)
}

// file holds what stat prints about the scratch file.
type file struct {
	size, allocated int64 // B
	regular         bool
}

func look(ctx context.Context, tr *assay.Transcript, at assay.Place, path string) (file, error) {
	argv := []string{"stat", "-L", "-c", "%s %b %B %F", path}
	out, err := runStep(ctx, tr, at, stepStat, argv, time.Minute)
	if err != nil {
		return file{}, err
	}
	if out.Exit != 0 {
		return file{}, fmt.Errorf("%s: stat %s: %s", at.Host().Name, path, firstLine(out.Stderr, out.Exit))
	}
	f, err := readStat(string(out.Stdout))
	if err != nil {
		return file{}, fmt.Errorf("%s: stat %s: %w", at.Host().Name, path, err)
	}
	return f, nil
}

// readStat reads the size, number of blocks, block size and file type.
func readStat(line string) (file, error) {
	words := strings.SplitN(strings.TrimSpace(line), " ", 4)
	if len(words) != 4 {
		return file{}, fmt.Errorf("%q does not consist of size, blocks, block size and type", line)
	}
	var n [3]int64
	for i := range n {
		v, err := strconv.ParseInt(words[i], 10, 64)
		if err != nil || v < 0 {
			return file{}, fmt.Errorf("%q is not a count", words[i])
		}
		n[i] = v
	}
	if n[2] > 0 && n[1] > (1<<62)/n[2] {
		return file{}, fmt.Errorf("%q is larger than any file", line)
	}
	return file{size: n[0], allocated: n[1] * n[2], regular: strings.HasPrefix(words[3], "regular")}, nil
}

// silentFileSystems are those whose count of allocated blocks does not show
// whether a block was written: they compress, or pass on what another system
// reports. Keys are the magic numbers of statfs(2), in hexadecimal.
var silentFileSystems = map[string]string{
	"2fc12fc1": "zfs",
	"9123683e": "btrfs",
	"ca451a4e": "bcachefs",
	"f2f52010": "f2fs",
	"65735546": "fuse",
	"1021997":  "9p",
	"ff534d42": "cifs",
	"fe534d42": "smb2",
	"6969":     "nfs",
}

// tellsAllocation reports whether the file system's block counts mean anything.
func tellsAllocation(ctx context.Context, tr *assay.Transcript, at assay.Place, path string) (bool, error) {
	argv := []string{"stat", "-f", "-c", "%t", path}
	out, err := runStep(ctx, tr, at, stepFileSystem, argv, time.Minute)
	if err != nil {
		return false, err
	}
	magic := strings.TrimLeft(strings.ToLower(strings.TrimSpace(string(out.Stdout))), "0")
	_, silent := silentFileSystems[magic]
	return out.Exit == 0 && !silent, nil
}

// errDirect is in the error chain if the file system refuses O_DIRECT.
var errDirect = errors.New("the file system does not support direct I/O")

// firstLine returns the error message of a failed command.
func firstLine(stderr []byte, exit int) string {
	if line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n"); line != "" {
		return line
	}
	return "exit " + strconv.Itoa(exit)
}
