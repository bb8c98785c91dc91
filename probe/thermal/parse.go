package thermal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/setting"
)

// settledWithin is how close to idle counts as cooled down, in °C, plus a
// thousandth for the script's integer division.
const settledWithin = 2 + .001

// Parse reads the script's output. The headline sensor comes first: see headline.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	if len(tr.Steps) == 0 {
		return nil, fmt.Errorf("watch.sh was not run: %w", assay.ErrNoOutput)
	}
	out := tr.Steps[0].Output
	r, err := read(out.Stdout)
	if err != nil {
		return nil, err
	}
	if !r.ended {
		return nil, fmt.Errorf("watch.sh stopped early (exit status %d)%s", out.Exit, said(out.Stderr))
	}
	ms := r.measurements(notSettled(r, tr.Settings))
	if len(ms) == 0 {
		return nil, fmt.Errorf("watch.sh: no sensor and no clock could be read: %w", assay.ErrNoOutput)
	}
	return ms, nil
}

// notSettled returns the label of a sensor that did not return near idle, with
// how long it was given, if known.
func notSettled(r record, settings map[string]string) string {
	ph, err := phasesOf(setting.Stored("", settings))
	if !r.gaveUp || len(settings) == 0 || err != nil {
		return "no"
	}
	return "no, not within " + strconv.FormatFloat(ph.settle.Seconds(), 'f', -1, 64) + " s"
}

// said formats a command's standard error for a message.
func said(stderr []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// measurements returns the figures; notSettled is the label settled of sensors
// that did not settle.
func (r record) measurements(notSettled string) []assay.Measurement {
	var curves []curve
	for _, s := range r.sensors {
		if c, ok := r.curveOf(s); ok {
			curves = append(curves, c)
		}
	}
	sortCurves(curves)
	var ms []assay.Measurement
	for i, c := range curves {
		if i == 0 {
			ms = append(ms, c.measurements(c.kind == "cpu", notSettled)...)
			ms = append(ms, r.clocks()...)
			ms = append(ms, r.throttles()...)
			continue
		}
		ms = append(ms, c.measurements(false, notSettled)...)
	}
	if len(curves) == 0 {
		ms = append(ms, r.clocks()...)
		ms = append(ms, r.throttles()...)
	}
	return ms
}

// curve is one sensor's temperatures over the repeat.
type curve struct {
	sensor
	all     []assay.Sample
	idle    float64 // mean before the load
	load    float64 // highest under load
	settle  float64 // s from the end of the load until it stays near idle
	settled bool
}

// curveOf returns the curve of a sensor that could be read before and under
// load.
func (r record) curveOf(s sensor) (curve, bool) {
	temp := func(t tick) (float64, bool) {
		v, ok := t.temps[s.number]
		return v, ok
	}
	idle, load := r.series("idle", temp), r.series("load", temp)
	if len(idle) == 0 || len(load) == 0 {
		return curve{}, false
	}
	c := curve{sensor: s, all: r.series("", temp), idle: mean(idle), load: highest(load)}
	for _, t := range r.ticks {
		v, ok := t.temps[s.number]
		switch {
		case t.phase != "after" || !ok:
		case v > c.idle+settledWithin:
			c.settled = false // a drive may keep warming for a while
		case !c.settled:
			c.settle, c.settled = max(t.at-r.after, 0), r.after > 0
		}
	}
	return c, true
}

func (c curve) measurements(headline bool, notSettled string) []assay.Measurement {
	labels := map[string]string{"sensor": c.key, "kind": c.kind}
	if headline {
		labels["headline"] = "1"
	}
	if !c.settled {
		labels["settled"] = notSettled
	}
	rise := maps.Clone(labels)
	if c.settled {
		rise["settled"] = "yes"
	}
	ms := []assay.Measurement{
		{Metric: "thermal.idle", Value: c.idle, Unit: assay.Celsius, Labels: labels},
		{Metric: "thermal.load", Value: c.load, Unit: assay.Celsius, Labels: labels, Samples: c.all},
		{Metric: "thermal.rise", Value: c.load - c.idle, Unit: assay.Celsius, Labels: rise},
	}
	if c.settled {
		ms = append(ms, assay.Measurement{Metric: "thermal.settle", Value: c.settle, Unit: assay.Seconds, Labels: labels})
	}
	return ms
}

// sortCurves puts the headline sensor first: the hottest that covers a whole
// CPU, else the hottest of a CPU, else the hottest. The others follow by name.
func sortCurves(curves []curve) {
	if len(curves) == 0 {
		return
	}
	first := slices.MinFunc(curves, func(a, b curve) int {
		return cmp.Or(cmp.Compare(rank(a.sensor), rank(b.sensor)), cmp.Compare(b.load, a.load), strings.Compare(a.key, b.key))
	})
	order.Stable(curves, func(a, b curve) int {
		if (a.sensor == first.sensor) != (b.sensor == first.sensor) {
			if a.sensor == first.sensor {
				return -1
			}
			return 1
		}
		return strings.Compare(a.key, b.key)
	})
}

// rank returns how well a sensor represents the CPU; less is better. AMD's Tctl
// may include an offset for fan control, Tdie does not.
func rank(s sensor) int {
	if s.kind != "cpu" {
		return 3
	}
	key := strings.ToLower(s.key)
	for _, whole := range []string{"package", "tdie", "x86_pkg_temp", "cpu-thermal", "cpu_thermal"} {
		if strings.Contains(key, whole) {
			return 0
		}
	}
	if strings.Contains(key, "tctl") {
		return 1
	}
	return 2
}

func (r record) clocks() []assay.Measurement {
	clock := func(t tick) (float64, bool) { return t.clock, t.clock > 0 }
	idle, load := r.series("idle", clock), r.series("load", clock)
	labels := map[string]string{"source": r.clock}
	var ms []assay.Measurement
	if len(idle) > 0 {
		ms = append(ms, assay.Measurement{Metric: "thermal.clock.idle", Value: mean(idle), Unit: assay.Hertz, Labels: labels})
	}
	if len(load) > 0 {
		labels = maps.Clone(labels)
		labels["threads"] = r.threads
		ms = append(ms, assay.Measurement{
			Metric: "thermal.clock.load", Value: mean(load), Unit: assay.Hertz,
			Labels: labels, Samples: r.series("", clock),
		})
	}
	return ms
}

// throttles counts from the last tick before the load to the first one after
// it. If a counter went backwards, a CPU has gone away: no figure.
func (r record) throttles() []assay.Measurement {
	before, after := -1.0, -1.0
	for _, t := range r.ticks {
		switch {
		case t.throttles < 0:
		case t.phase == "idle":
			before = t.throttles
		case t.phase == "after" && after < 0:
			after = t.throttles
		}
	}
	if before < 0 || after < before {
		return nil
	}
	return []assay.Measurement{{Metric: "thermal.throttles", Value: after - before, Unit: assay.One}}
}
