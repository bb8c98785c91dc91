package rados

import (
	"strconv"
	"time"

	"assay"
	"assay/internal/setting"
)

// settings holds a case's parsed and checked settings.
type settings struct {
	op    string // write, seq, rand
	size  int64  // B per object
	bs    string // the same as a word: 4k
	depth int
	space int64 // B that all objects in a pool may take
}

// usualSpace is the most that a client writes, in bytes: a fast pool takes part of it
// within seconds, and what is then read is in memory, which is why reads are warm.
const usualSpace = 32 << 30

// parts is how many parts the space of a pool is divided into: objects of two sizes stay
// in it for reading while others are written.
const parts = 3

// aside is what the store needs per object beside its data, in bytes: for
// BlueStore's metadata, and for rounding up to its units.
const aside = 4 << 10

// objects returns how many objects of the case's size may be written in that much
// space, at least one.
func (s settings) objects(space int64) int64 { return max(1, space/parts/(s.size+aside)) }

// readSettings reads the settings of the case called label. Errors name the case and
// the key.
func readSettings(label string, set map[string]string) (settings, error) {
	r := setting.Of(label, set)
	s := settings{
		op:    r.Choice("op", "write", "seq", "rand"),
		size:  r.Size("bs", 4<<20, 1, 64<<20),
		depth: r.Count("iodepth", 16, 1, 4096),
		space: r.Size("space", usualSpace, 1<<20, 1<<50),
	}
	s.bs = setting.SizeWord(s.size)
	return s, r.Err()
}

// Trials returns one trial for every pool. Unknown or senseless settings are errors
// that name the case and the key.
func (reader) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if err := c.Check(name, assay.KindPool, "pools"); err != nil {
		return nil, err
	}
	s, err := readSettings(c.Name, c.Set)
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, subject := range inv.Of(assay.KindPool) {
		t := assay.Trial{
			ID: name + "/" + c.Name + "@" + subject.ID, Probe: name, Case: c.Name, Title: c.Title, Subject: subject,
			// The OSDs are the same for every host and every pool.
			Claims: append(subject.Claims(), "ceph"), Risk: assay.Writes, Volume: subject.Volume,
			Scratch: s.space, Length: time.Duration(c.Seconds * float64(time.Second)),
			// Connecting four times, and removing what was written.
			Overhead: 3 * time.Second,
			Settings: map[string]string{"op": s.op, "bs": s.bs, "iodepth": strconv.Itoa(s.depth), "space": strconv.FormatInt(s.space, 10)},
		}
		if t.Volume == "" {
			t.Volume = volume
		}
		trials = append(trials, t)
	}
	return trials, nil
}
