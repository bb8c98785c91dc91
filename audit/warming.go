package audit

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

// warming is how fast a sensor's temperature rises.
type warming struct {
	sensor string
	slope  float64 // °C/s
	span   float64 // s, from first to last value
	within string  // what the values cover
}

// rise returns how much the fitted line rises from the first to the last value,
// in °C.
func (w warming) rise() float64 { return w.slope * w.span }

// warming finds the subject's sensor that rises fastest. hot is false if fewer
// than half of its sensors rise: among many, one does by chance. sensed is false
// if no sensor has enough values.
//
// How warm a repeat starts depends on what ran just before, which is chance:
// each of several repeats counts once, by its settled value, and these must
// follow a trend. A single repeat is judged within itself.
func (l look) warming() (fastest warming, hot, sensed bool) {
	rising, all := 0, 0
	for _, sensor := range l.sensors() {
		judge := l.overRepeats
		if len(l.reps) == 1 {
			judge = l.withinRepeat
		}
		w, trend, ok := judge(sensor)
		if !ok || !stats.Finite(w.slope) || !stats.Finite(w.span) || w.span < slopeSpan {
			continue
		}
		all++
		if !trend || w.slope*60 <= equilibriumSlope || w.rise() < slopeRise {
			continue
		}
		if rising++; rising == 1 || w.slope > fastest.slope {
			fastest = w
		}
	}
	return fastest, mostly(rising, all), all > 0
}

// overRepeats uses one value per repeat: the mean of its last third.
func (l look) overRepeats(sensor string) (w warming, trend, ok bool) {
	reps := slices.SortedStableFunc(slices.Values(l.reps), func(a, b assay.Repeat) int { return a.Started.Compare(b.Started) })
	var at, temps []float64
	for _, r := range reps {
		times, values := readings(r, sensor)
		if len(values) == 0 {
			continue
		}
		from := len(values) - max(1, len(values)/3)
		at = append(at, r.Started.Sub(reps[0].Started).Seconds()+stats.Mean(times[from:]))
		temps = append(temps, stats.Mean(values[from:]))
	}
	if len(temps) < warmingRepeats {
		return w, false, false
	}
	p := stats.Trend(temps)
	return warming{
		sensor: sensor, slope: stats.Slope(at, temps), span: at[len(at)-1] - at[0],
		within: fmt.Sprintf("over %d repeats (Mann-Kendall p %s)", len(temps), percent(p)),
	}, p < trendLevel, true
}

// withinRepeat uses the second half of the only repeat.
func (l look) withinRepeat(sensor string) (w warming, trend, ok bool) {
	at, temps := readings(l.reps[0], sensor)
	if len(at) < 10 {
		return w, false, false
	}
	half := (at[0] + at[len(at)-1]) / 2
	from := slices.IndexFunc(at, func(t float64) bool { return t >= half })
	if from < 0 {
		return w, false, false
	}
	return warming{
		sensor: sensor, slope: stats.Slope(at[from:], temps[from:]), span: at[len(at)-1] - at[from],
		within: "in the second half of the repeat",
	}, true, true
}

// readings returns one sensor's values over a repeat: seconds since its start,
// and °C.
func readings(r assay.Repeat, sensor string) (at, temps []float64) {
	if r.Watch == nil {
		return nil, nil
	}
	for _, tick := range r.Watch.Ticks {
		if v, ok := tick.Temps[sensor]; ok && stats.Finite(v) && stats.Finite(tick.At) {
			at, temps = append(at, tick.At), append(temps, v)
		}
	}
	return at, temps
}

// sensors returns the sensors on the measured hardware.
func (l look) sensors() []string {
	storage := len(l.directions()) > 0
	drives, _, _ := l.drives()
	var keys []string
	for _, s := range l.facts.Sensors {
		switch {
		case !storage && s.Kind == "cpu":
			keys = append(keys, s.Key)
		case storage && s.Kind == "drive" && slices.ContainsFunc(drives, func(d assay.BlockDevice) bool {
			return d.Name == s.Drive || strings.HasPrefix(d.Name, s.Drive) && s.Drive != ""
		}):
			keys = append(keys, s.Key)
		}
	}
	return keys
}
