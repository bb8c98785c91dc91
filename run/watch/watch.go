package watch

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"assay"
)

//go:embed watch.sh
var script []byte

// bound is for a look that hangs: a dead network file system, a broken sensor.
const bound = 20 * time.Second

// Watcher watches one host.
type Watcher struct {
	place   assay.Place
	devices []string
	sensors []assay.Sensor
	names   map[string]string // that devices are told by, where they have others
}

// New watches the block devices and sensors that the facts of the place's host
// name.
func New(at assay.Place, f assay.Facts) *Watcher {
	w := &Watcher{place: at, sensors: f.Sensors}
	for _, d := range f.Block {
		// An idle loop or ram device has nothing to tell.
		if d.Bytes > 0 && d.Kind != "rom" {
			w.devices = append(w.devices, d.Name)
		}
	}
	return w
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

// Around runs do and gives what the host counted meanwhile. Where the host
// cannot be watched, do runs all the same and the watch is nil: err then says
// why, and is not about do.
func (w *Watcher) Around(ctx context.Context, do func(context.Context)) (*assay.Watch, error) {
	before, err := w.look(ctx)
	if err != nil {
		do(ctx)
		return nil, err
	}
	loopCtx, stop := context.WithCancel(ctx)
	defer stop()
	ticks := make(chan []byte, 1)
	go func() {
		// It is ended by stop: its error is that it was.
		out, _ := w.place.Run(loopCtx, w.command("loop"))
		ticks <- out.Stdout
	}()
	do(ctx)
	stop()
	printed := <-ticks
	after, err := w.look(ctx)
	if err != nil {
		return nil, err
	}
	return &assay.Watch{Before: before, After: after, Ticks: w.ticks(printed, before), ToolCPU: -1}, nil
}

func (w *Watcher) look(ctx context.Context) (assay.Snapshot, error) {
	c := w.command("once")
	c.Timeout = bound
	out, err := w.place.Run(ctx, c)
	if err != nil {
		return assay.Snapshot{}, fmt.Errorf("watch %s: %w", w.place.Host().Name, err)
	}
	s, err := ParseSnapshot(out.Stdout)
	if err != nil {
		return assay.Snapshot{}, fmt.Errorf("watch %s: %w", w.place.Host().Name, err)
	}
	s.Devices = w.called(s.Devices)
	return s, nil
}

func (w *Watcher) ticks(printed []byte, before assay.Snapshot) []assay.Tick {
	ticks := ParseTicks(printed, w.sensors)
	for i := range ticks {
		ticks[i].At -= before.Uptime
		ticks[i].Devices = w.called(ticks[i].Devices)
	}
	return ticks
}
