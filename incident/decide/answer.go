package decide

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// blockSize is what is read at once, in bytes: no sector of a drive is larger.
const blockSize = 4096

// answer is what read.sh printed.
type answer struct {
	devices map[string]*device
	lower   []string // the devices that it stands on
	file    *file    // that a loop device is of
}

// device is what came of reads of one device.
type device struct {
	reads, failed int
	slow          []float64 // seconds, of those that succeeded
}

// file is what a loop device is of.
type file struct {
	path      string
	device    int64 // how many bytes the loop device has
	size      int64 // of the file; negative if it is not known
	shortened bool
}

func (a answer) of(name string) device {
	if d := a.devices[name]; d != nil {
		return *d
	}
	return device{}
}

// neighbours reports whether some were read and some failed.
func (d device) neighbours() bool { return d.failed > 0 && d.failed < d.reads }

// median is that of the times of what was read.
func (d device) median() float64 {
	if len(d.slow) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(d.slow))
	return s[len(s)/2]
}

var copied = lazyregexp.New(`copied, ([0-9.e+-]+) s`)

// parse reads it. What refuses and what could not be opened is an error: it says nothing
// of the device.
func parse(text string) (answer, error) {
	a := answer{devices: map[string]*device{}}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "refused "):
			return a, errors.New("failed: " + strings.TrimSpace(strings.TrimPrefix(line, "refused ")))
		case f[0] == "lower" && len(f) == 2:
			a.lower = append(a.lower, f[1])
		case f[0] == "file" && len(f) == 4:
			has, err := strconv.ParseInt(f[1], 10, 64)
			size, err2 := strconv.ParseInt(f[2], 10, 64)
			if err == nil && err2 == nil {
				a.file = &file{path: f[3], device: has, size: size, shortened: size >= 0 && size < has}
			}
		case f[0] == "read" && len(f) == 5:
			if err := a.read(f[1], f[3], f[4]); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// read notes what dd said of one block.
func (a answer) read(name, status, said string) error {
	d := a.devices[name]
	if d == nil {
		d = &device{}
		a.devices[name] = d
	}
	m := copied.FindStringSubmatch(said)
	switch {
	case status == "0" && m != nil:
		took, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return errors.New("failed: dd said " + said)
		}
		d.slow = append(d.slow, took)
	case status == "124", status == "137", strings.Contains(said, "error reading"), strings.Contains(said, "nput/output error"):
		d.failed++
	case strings.Contains(said, "ermission denied"):
		return errors.New("failed: " + strings.TrimSpace(said) + "; run as root")
	default: // may not be opened, or knows no iflag=direct
		return errors.New("failed: " + strings.TrimSpace(said))
	}
	d.reads++
	return nil
}
