package thermal

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// The plausible temperatures of a running machine, in °C. Sensors without a
// probe attached report far less or far more.
const (
	coldest = -50
	hottest = 150
)

// record is the parsed output of the script.
type record struct {
	sensors []sensor
	clock   string // cpufreq, cpuinfo or none
	threads string
	ticks   []tick
	after   float64 // uptime at the end of the load, s
	ended   bool
	gaveUp  bool // ended because settling took too long
}

type sensor struct {
	number, kind, key string
}

// tick is one sample.
type tick struct {
	phase     string
	at        float64            // uptime, s
	clock     float64            // Hz, 0 unknown
	throttles float64            // count, negative unknown
	temps     map[string]float64 // °C, by the sensor's number
	line      int
}

// read parses the script's output. Implausible values are left out; unknown
// lines are skipped, since a host may print a banner.
func read(output []byte) (record, error) {
	var r record
	phase, versioned, number := "", false, 0
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		number++
		line := strings.TrimRight(lines.Text(), "\r")
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "assay-thermal":
			if rest != "1" {
				return r, fmt.Errorf("watch.sh: its output is of version %q, not 1", rest)
			}
			versioned = true
		case "sensor":
			if f := strings.SplitN(rest, " ", 3); len(f) == 3 && f[2] != "" {
				r.sensors = append(r.sensors, sensor{number: f[0], kind: kindOf(f[1]), key: f[2]})
			}
		case "clock":
			r.clock = rest
		case "load":
			r.threads = rest
		case "phase":
			name, at, _ := strings.Cut(rest, " ")
			phase = name
			if t, ok := finite(at); ok && name == "after" {
				r.after = t
			}
		case "tick":
			if t, ok := readTick(rest, phase, number); ok {
				r.ticks = append(r.ticks, t)
			}
		case "end":
			r.ended, r.gaveUp = true, strings.HasPrefix(rest, "bound ")
		}
	}
	if err := lines.Err(); err != nil {
		return r, fmt.Errorf("watch.sh: line %d: %w", number+1, err)
	}
	if !versioned {
		return r, fmt.Errorf("watch.sh: %w", assay.ErrNoOutput)
	}
	return r, nil
}

func readTick(rest, phase string, line int) (tick, bool) {
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return tick{}, false
	}
	at, ok := finite(fields[0])
	if !ok || at < 0 {
		return tick{}, false
	}
	t := tick{phase: phase, at: at, throttles: -1, temps: map[string]float64{}, line: line}
	for _, field := range fields[1:] {
		name, value, _ := strings.Cut(field, "=")
		v, ok := finite(value)
		switch {
		case !ok:
		case name == "clock":
			if hz := v * 1e3; hz >= 1e6 && hz <= 20e9 {
				t.clock = hz
			}
		case name == "throttles":
			if v >= 0 && v < 1e15 {
				t.throttles = v
			}
		default:
			if c := v / 1e3; c >= coldest && c <= hottest {
				t.temps[name] = c
			}
		}
	}
	return t, true
}

// finite parses a decimal number; not "nan", "inf" or a hexadecimal one.
func finite(s string) (float64, bool) {
	if s == "" || strings.ContainsAny(s, "xXnNpP_") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// series returns one quantity over the ticks of a phase, or of all phases if
// phase is "".
func (r record) series(phase string, value func(tick) (float64, bool)) []assay.Sample {
	var samples []assay.Sample
	for _, t := range r.ticks {
		if phase != "" && t.phase != phase {
			continue
		}
		if v, ok := value(t); ok {
			samples = append(samples, assay.Sample{At: math.Round((t.at-r.ticks[0].at)*100) / 100, Value: v})
		}
	}
	return samples
}

func mean(samples []assay.Sample) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += s.Value
	}
	return sum / float64(len(samples))
}

func highest(samples []assay.Sample) float64 {
	most := math.Inf(-1)
	for _, s := range samples {
		most = max(most, s.Value)
	}
	return most
}
