package decide

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// blockSize is the size of one read in bytes: no drive has larger sectors.
const blockSize = 4096

// answer is the parsed output of read.sh.
type answer struct {
	devices map[string]*device
	lower   []string // the devices below it
	file    *file    // backing file of a loop device
}

// device holds the results of reading one device.
type device struct {
	reads, failed int
	slow          []float64 // seconds, successful reads only
}

// file is the backing file of a loop device.
type file struct {
	path      string
	device    int64 // bytes in the loop device
	size      int64 // of the file; negative if unknown
	shortened bool
}

func (a answer) of(name string) device {
	if d := a.devices[name]; d != nil {
		return *d
	}
	return device{}
}

// neighbours reports whether some reads succeeded and some failed.
func (d device) neighbours() bool { return d.failed > 0 && d.failed < d.reads }

// median returns the median time of the successful reads.
func (d device) median() float64 {
	if len(d.slow) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(d.slow))
	return s[len(s)/2]
}

var copied = lazyregexp.New(`copied, ([0-9.e+-]+) s`)

// parse parses the output of read.sh. Refusals and failed opens are errors: they reveal
// nothing about the device.
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

// read records dd's result for one block.
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
	default: // no permission to open, or no iflag=direct
		return errors.New("failed: " + strings.TrimSpace(said))
	}
	d.reads++
	return nil
}
