package decide

import (
	_ "embed"
	"fmt"
	"strconv"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/internal/lazyregexp"
)

//go:embed sectors.sh
var sectorsScript string

// sectors rereads sectors that the kernel logged as unreadable, and their
// neighbours.
var sectors = Decider{ID: "sectors", Reads: func(log incident.Log, v blame.Verdict) []Read {
	const around = 4 // blocks on either side
	var all []Read
	for _, s := range suspects(v) {
		d := log.Stack.Find(s.Host, s.Device)
		sector, ok := sectorOf(log, s)
		if !ok || stacked(d) {
			continue // layerBelow reads those, and the devices below
		}
		r := Read{Host: s.Host, Device: s.Device, Bytes: (2*around + 1) * blockSize, Longest: 60 * time.Second,
			What:  fmt.Sprintf("read %d blocks of 4 KiB around sector %d of %s", 2*around+1, sector, place(s.Host, s.Device)),
			Shows: "an error now is from what answers for this device; without one the cause stays open",
		}
		r.argv = shell(readScript+sectorsScript, seconds(r.Longest), s.Device, strconv.FormatInt(sector/8-around, 10), strconv.FormatInt(sector/8+around, 10))
		r.judge = func(said []string) Shown { return sectorsShow(d, place(s.Host, s.Device), said[0]) }
		all = append(all, r)
	}
	return all
}}

var sectorForm = lazyregexp.New(`\bsector ([0-9]{1,15})\b`)

// sectorOf returns the first sector logged as unreadable on a device.
func sectorOf(log incident.Log, of incident.Event) (int64, bool) {
	for _, e := range log.Events {
		if e.Host != of.Host || e.Device != of.Device { // partition sectors count from its start
			continue
		}
		if m := sectorForm.FindStringSubmatch(e.Text); m != nil {
			n, err := strconv.ParseInt(m[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// sectorsShow returns what it means that a device can, or can't, be read.
func sectorsShow(d incident.Device, named, text string) Shown {
	a, err := parse(text)
	if err != nil {
		return Shown{Absent: err.Error()}
	}
	one := a.of(d.Name)
	switch {
	case one.reads == 0:
		return Shown{Absent: "failed: no block of " + named + " was read: the sector is beyond its end"}
	case one.failed == 0:
		return Shown{Says: fmt.Sprintf("%s was read without an error (%d of %d blocks). It may have been repaired since, or the fault comes and goes.", named, one.reads, one.reads)}
	}
	s := Shown{Says: fmt.Sprintf("%d of %d blocks of %s still can't be read.", one.failed, one.reads, named)}
	switch t := d.Transport; {
	case t.Remote():
		s.Says += " Another machine or process answers for it: no drive of this machine is involved."
		s.For, s.Against = answers(d), []incident.Layer{incident.Drive}
	case t == incident.Virtual:
		s.Says += " The hypervisor's storage answers for it."
		s.For, s.Against = answers(d), []incident.Layer{incident.Drive}
	case t.Real() && one.neighbours():
		s.Says += " The blocks beside them can: a cut cable or a dead controller would fail them all."
		s.For, s.Against = answers(d), []incident.Layer{incident.Link, incident.Controller}
	case t.Real():
		s.Says += " All of them fail, so a drive that is cut off would look the same."
	default:
		s.Says += " Whether it is a drive at all isn't known: see TRAN in lsblk."
	}
	return s
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }
