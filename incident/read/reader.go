package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"assay/incident"
	"assay/internal/order"
)

const (
	// longest is how much of a line is examined.
	longest = 64 << 10
	// most is the maximum number of separate events; other recognised lines are
	// only counted.
	most = 20_000
	// quiet is how long a kind must be absent from the log for its next line to start a new
	// event.
	quiet = 10 * time.Minute
	// bursts is the maximum number of separate events per kind and device.
	bursts = 40
)

// Reader collects events from any number of texts.
type Reader struct {
	log  incident.Log
	open map[fold]int // the event that counts equal lines
	many map[fold]int // how often its kind and device started anew

	file string
	host string    // of the text; "" where its lines name it
	year int       // years since the first line, if lines have none
	last time.Time // of the previous line
	line stamped   // that is read
	context
	complaints
	found []int32
}

// context is what earlier lines say about later ones.
type context struct {
	drive    string // whose SMART report this is
	sense    string // last device to answer with a read error
	device   string // last block device named
	named    int    // line that named it
	target   string // in iscsiadm's session list
	command  string // last failed ATA command
	supply   int    // first line of a power supply in hpasmcli
	oops     int    // first line of a kernel crash report
	secured  int    // first line of hdparm's security section
	record   record // of a firmware error report
	scrubbed int    // line with a btrfs scrub's findings
	spares   spares // of an NVMe drive
	ports    map[string]ataPort
	failed   failed // sectors
	table    tableReader
	host     map[string]incident.Transport // by SCSI host number
	vendor   map[string]string             // by SCSI address
	document *document
}

// fold is the key by which lines are counted as equal.
type fold struct {
	kind         incident.Kind
	host, device string
	file         string
}

// New returns a Reader that has read nothing.
func New() *Reader { return &Reader{open: map[fold]int{}, many: map[fold]int{}} }

// index0 is built once and shared by all readers.
var index0 = sync.OnceValue(newIndex)

// Read reads a text to its end. Host is the host it comes from, "" if only its lines
// tell; name is reported as its file.
func (r *Reader) Read(name, host string, in io.Reader) error {
	r.file, r.host, r.year, r.last = name, host, 0, time.Time{}
	r.context = context{host: map[string]incident.Transport{}, vendor: map[string]string{}, ports: map[string]ataPort{}}
	x := index0()
	lines := bufio.NewReaderSize(in, longest)
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		r.log.Bytes += int64(len(line))
		whole := line
		for errors.Is(err, bufio.ErrBufferFull) {
			whole = bytes.Clone(whole) // the buffer is about to be reused
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = lines.ReadSlice('\n')
				r.log.Bytes += int64(len(line))
			}
		}
		if len(whole) > 0 {
			r.read(x, bytes.TrimRight(whole, "\r\n"), n)
		}
		if err != nil {
			r.endDocument()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// Log returns what was read so far, ordered by time.
func (r *Reader) Log() incident.Log {
	log := r.log
	log.Events = slices.Clone(r.log.Events)
	log.Complaints = r.unknown()
	log.Head = slices.Clone(r.log.Head)
	order.Stable(log.Events, incident.Compare)
	return log
}

// read processes one line.
func (r *Reader) read(x *index, line []byte, n int) {
	r.log.Lines++
	if r.log.Lines <= incident.HeadLines {
		text := excerpt(unstamp(strings.ToValidUTF8(string(line), "\uFFFD")).text)
		r.log.Head = append(r.log.Head, incident.Line{Text: text, Source: incident.Source{File: r.file, Line: n}})
	}
	if r.document != nil {
		r.inDocument(line)
		return
	}
	if r.table != nil {
		if r.table.row(r, string(line), n) {
			return
		}
		r.table = nil
	}
	r.found = x.set.In(line, r.found[:0])
	if len(r.found) == 0 {
		if r.log.Lines <= incident.HeadLines {
			r.hear(unstamp(strings.ToValidUTF8(string(line), "\uFFFD")).text, false, incident.Source{File: r.file, Line: n})
		}
		return
	}
	slices.Sort(r.found)
	s := unstamp(strings.ToValidUTF8(string(line), "\uFFFD"))
	r.line = s
	told := -1
	for _, f := range slices.Compact(r.found) {
		if i := int(f); i >= len(x.all) {
			x.facts[i-len(x.all)].note(r, s.text, n)
		} else if told < 0 && x.all[i].fits(s.text) {
			told = i
		}
	}
	if r.log.Lines <= incident.HeadLines {
		r.hear(s.text, told >= 0, incident.Source{File: r.file, Line: n})
	}
	if told >= 0 {
		sig := x.all[told]
		device := sig.where(s.text)
		if sig.device == nil {
			device = r.near(device, n)
		}
		r.event(sig.kind, device, 0, s, n)
	}
}

// nearby is the number of lines in a report of one error, only one of which names
// the device.
const nearby = 4

// near returns the device of a line, or the one named just before.
func (r *Reader) near(device string, n int) string {
	if device == "" && n-r.named <= nearby {
		return r.device
	}
	if device != "" {
		r.device, r.named = device, n
	}
	return device
}

// event adds a line to the event it belongs to.
func (r *Reader) event(kind incident.Kind, device string, value float64, s stamped, n int) {
	host := r.host
	if host == "" {
		host = s.host
	}
	s.when.Wall = r.inOrder(s.when.Wall)
	key := fold{kind, host, device, r.file}
	if at, there := r.open[key]; there {
		e := &r.log.Events[at]
		since, known := s.when.Since(e.Last)
		if !known || since < quiet || r.many[key] >= bursts {
			e.Count++
			e.Value = max(e.Value, value)
			e.Until = n
			if s.when.Known() {
				e.Last = s.when
			}
			return
		}
		r.many[key]++
	}
	if len(r.log.Events) >= most {
		r.log.Dropped++
		return
	}
	key.host, key.device = strings.Clone(host), strings.Clone(device)
	r.open[key] = len(r.log.Events)
	r.log.Events = append(r.log.Events, incident.Event{
		Kind: kind, Host: key.host, Device: key.device, Value: value, Text: excerpt(s.text), Source: incident.Source{File: r.file, Line: n},
		Count: 1, First: s.when, Last: s.when, Until: n,
	})
}

// inOrder moves a yearless date to the following year once the text passes from
// December to January.
func (r *Reader) inOrder(t time.Time) time.Time {
	if t.IsZero() || t.Year() != 0 {
		return t
	}
	if r.last.Month() == time.December && t.Month() == time.January && !r.last.IsZero() && r.year == 0 {
		r.year = 1
	}
	r.last = t
	return t.AddDate(r.year, 0, 0)
}

// excerpt returns as much of a message as a report quotes.
func excerpt(text string) string {
	const limit = 240
	text = strings.TrimSpace(text)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return strings.Clone(text)
}
