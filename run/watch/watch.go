package watch

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
)

//go:embed watch.sh
var script []byte

// bound limits a look that hangs: a dead network file system, a broken sensor.
const bound = 20 * time.Second

// loopLimit bounds the output of one repeat's looks, in bytes: ten hours of a host with a
// hundred devices.
const loopLimit = 64 << 20

// Watcher watches one host.
type Watcher struct {
	place   assay.Place
	devices []string
	sensors []assay.Sensor
	names   map[string]string // names to report devices by, if different
}

// New watches the block devices and sensors named in the facts of the place's
// host.
func New(at assay.Place, f assay.Facts) *Watcher {
	w := &Watcher{place: at, sensors: f.Sensors}
	for _, d := range f.Block {
		// An unused loop or RAM device has nothing to report.
		if d.Bytes > 0 && d.Kind != "rom" {
			w.devices = append(w.devices, d.Name)
		}
	}
	return w
}

// With returns a watcher that also watches these devices, by kernel name: those
// that appeared after the facts were taken. Invalid device names are dropped.
func (w *Watcher) With(devices []string) *Watcher {
	more := *w
	more.devices = slices.Clone(w.devices)
	for _, name := range devices {
		if isName(name) && !slices.Contains(more.devices, name) {
			more.devices = append(more.devices, name)
		}
	}
	return &more
}

// isName reports whether a word can be a name in /sys/class/block: nvme0n1,
// rbd0p1, cciss!c0d0. The script gets the names separated by blanks.
func isName(word string) bool {
	return word != "" && strings.Trim(word, ".") != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`/*?[]\'"`, r)
	})
}

func (w *Watcher) command(mode string) assay.Cmd {
	var sensors []string
	for _, s := range w.sensors {
		sensors = append(sensors, s.Path)
	}
	return assay.Cmd{
		Argv:  []string{"sh", "-s", "--", mode, strings.Join(w.devices, " "), strings.Join(sensors, "\n")},
		Stdin: script,
	}
}

// Begin takes the first look, and further looks about once a second until the
// watch or ctx ends.
func (w *Watcher) Begin(ctx context.Context) (*Watching, error) {
	if host := w.place.Host(); host.OS == assay.Windows {
		return nil, fmt.Errorf("%s runs Windows, which is not watched: nothing counts its CPU, its devices and its network beside the tool", host.Name)
	}
	before, used, err := w.look(ctx)
	if err != nil {
		return nil, err
	}
	loop, stop := context.WithCancel(ctx)
	g := &Watching{watcher: w, before: before, used: used, stop: stop, ticks: make(chan []byte, 1)}
	go func() {
		// stop ends it, so its error is ignored.
		c := w.command("loop")
		c.Limit = loopLimit
		out, _ := w.place.Run(loop, c)
		g.ticks <- out.Stdout
	}()
	return g, nil
}

// Watching is a running watch. It must be ended.
type Watching struct {
	watcher *Watcher
	before  assay.Snapshot
	used    processes // before
	stop    context.CancelFunc
	ticks   chan []byte
}

// End takes the last look and returns what the host counted in between.
func (g *Watching) End(ctx context.Context) (*assay.Watch, error) {
	g.stop()
	printed := <-g.ticks
	after, used, err := g.watcher.look(ctx)
	if err != nil {
		return nil, err
	}
	g.before.NICs, after.NICs = moved(g.before.NICs, after.NICs)
	return &assay.Watch{
		Before: g.before, After: after, Ticks: g.watcher.ticksOf(printed, g.before), ToolCPU: -1,
		Busiest: used.since(g.used),
	}, nil
}

func (w *Watcher) look(ctx context.Context) (assay.Snapshot, processes, error) {
	c := w.command("once")
	c.Timeout = bound
	asked := time.Now()
	out, err := w.place.Run(ctx, c)
	answered := time.Now()
	if err != nil {
		return assay.Snapshot{}, nil, fmt.Errorf("watch %s: %w", w.place.Host().Name, err)
	}
	s, used, err := parseSnapshot(out.Stdout)
	if err != nil {
		return assay.Snapshot{}, nil, fmt.Errorf("watch %s: %w", w.place.Host().Name, err)
	}
	s.Devices = w.called(s.Devices)
	// A recording answers instantly, with counters of another time.
	if !out.Started.Before(asked) && !out.Started.After(answered) {
		s.Asked, s.Answered = since(asked), since(answered)
	}
	return s, used, nil
}

// begun is when this program started: times since then come from a monotonic clock.
var begun = time.Now()

// since converts a moment to the form of Snapshot.Asked.
func since(at time.Time) float64 { return float64(begun.UnixNano())/1e9 + at.Sub(begun).Seconds() }

func (w *Watcher) ticksOf(printed []byte, before assay.Snapshot) []assay.Tick {
	ticks := ParseTicks(printed, w.sensors)
	for i := range ticks {
		ticks[i].At -= before.Uptime
		ticks[i].Devices = w.called(ticks[i].Devices)
	}
	return ticks
}
