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
	// longest is how much of a line is looked at.
	longest = 64 << 10
	// most is how many events are kept apart; what else is recognised is counted.
	most = 20_000
	// quiet is how long a kind must not be logged for its next line to be an event of its own.
	quiet = 10 * time.Minute
	// bursts is how many events of one kind and device are kept apart.
	bursts = 40
)

// Reader collects events from any number of texts.
type Reader struct {
	log  incident.Log
	open map[fold]int // the event that equal lines are counted in
	many map[fold]int // how often its kind and device had begun anew

	file string
	host string    // of the text; "" where its lines name it
	year int       // since the text's first, where lines give no year
	last time.Time // of the line before
	line stamped   // that is read
	context
	complaints
	found []int32
}

// context is what a line says of those after it.
type context struct {
	drive    string // whose SMART report this is
	sense    string // the device that answered with a read error last
	device   string // the block device that was named last
	named    int    // the line that named it
	target   string // of iscsiadm's list of sessions
	command  string // of ATA, that failed last
	supply   int    // the line that began what hpasmcli shows of a power supply
	oops     int    // the line that began a report of a crash of the kernel
	secured  int    // the line that began hdparm's section on security
	record   record // of an error that firmware reported
	scrubbed int    // the line that told what a scrub of btrfs found
	spares   spares // that an NVMe drive has
	ports    map[string]ataPort
	failed   failed // sectors
	table    tableReader
	host     map[string]incident.Transport // of a SCSI host, by its number
	vendor   map[string]string             // of a SCSI address
	document *document
}

// fold is what equal lines have in common.
type fold struct {
	kind         incident.Kind
	host, device string
	file         string
}

// New returns a Reader that has read nothing.
func New() *Reader { return &Reader{open: map[fold]int{}, many: map[fold]int{}} }

// index0 is built once: it is the same for all readers.
var index0 = sync.OnceValue(newIndex)

// Read reads a text to its end. Host is the host it comes from, "" where only its lines
// say; name is said of it as its file.
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
			whole = bytes.Clone(whole) // the buffer is about to be used again
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

// Log returns what was read so far, in the order of time.
func (r *Reader) Log() incident.Log {
	log := r.log
	log.Events = slices.Clone(r.log.Events)
	log.Complaints = r.unknown()
	log.Head = slices.Clone(r.log.Head)
	order.Stable(log.Events, incident.Compare)
	return log
}

// read looks at one line.
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

// nearby is how many lines a report of one error has, of which one names the device.
const nearby = 4

// near returns the device of a line, or the one that a line just before named.
func (r *Reader) near(device string, n int) string {
	if device == "" && n-r.named <= nearby {
		return r.device
	}
	if device != "" {
		r.device, r.named = device, n
	}
	return device
}

// event counts a line in the event that it belongs to.
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

// inOrder gives a date without a year the year after, where a text goes from December
// to January.
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

// excerpt is as much of a message as a report quotes.
func excerpt(text string) string {
	const limit = 240
	text = strings.TrimSpace(text)
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return strings.Clone(text)
}
