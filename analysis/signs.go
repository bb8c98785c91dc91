package analysis

import (
	"slices"
	"strings"
)

// Sign is a fault on the paths of one host, or on one path, and on no others of the
// network: lost packets, a path MTU below the others'. Unlike an Outlier it is not
// slowness, but may cause it.
type Sign struct {
	Network  string  `json:"network"`
	Metric   string  `json:"metric"` // what shows it: net.tcp.retransmits
	Host     string  `json:"host"`   // or the sender
	Peer     string  `json:"peer,omitempty"`
	Ways     Ways    `json:"ways"`  // of Host's, or of the path
	Least    float64 `json:"least"` // over these paths, from
	Greatest float64 `json:"greatest"`
	Others   float64 `json:"others"` // of all other paths the worst
	Paths    int     `json:"paths"`  // that show it
}

// symptom is a figure that is about the same on all paths of a healthy network.
type symptom struct {
	metric string
	// bad reports whether a path shows the symptom, given the value of a good path
	// and the greatest of all.
	bad func(p path, good, greatest float64) bool
	// plain is the value from which one reading of one path is no accident if nothing
	// else on the network comes near; 0 if one reading is never enough.
	plain float64
}

// symptoms are the faults to look for. Slow start and full queues cost some hundred
// retransmits, and an echo may get lost by chance: losses must be substantial, far
// above a good path, and of the same order as the worst.
var symptoms = []symptom{
	{resentMetric, resends, 5000},
	{"net.udp.loss", lossFrom(.02), .2},
	{"net.rtt.loss", lossFrom(.05), .5},
	{"net.rtt.duplicates", lossFrom(.05), .5},
	{"net.path_mtu", func(p path, good, _ float64) bool { return p.value < good }, 0},
	{segmentMetric, func(p path, good, _ float64) bool { return p.value < shortSegment*good }, 0},
	{spreadMetric, lossFrom(leastSpread), 0},
}

// leastSpread is how much round trips must vary, in seconds: on a busy host they vary by
// a time slice or two.
const leastSpread = 5e-3

// ofSize are the symptoms that a single reading proves.
var ofSize = []string{"net.path_mtu", segmentMetric}

func lossFrom(least float64) func(p path, good, greatest float64) bool {
	return func(p path, good, greatest float64) bool { return p.value >= max(least, 10*good, greatest/8) }
}

// The thresholds for many retransmits: a sound 10 Gb/s link between busy hosts has 0.06 %,
// some hundred per second; on a link with few segments the share counts.
const (
	manyResent   = 500
	resentShare  = .0015
	fewestResent = 5
)

func resends(p path, good, greatest float64) bool {
	least := float64(manyResent)
	if p.segments > 0 {
		least = min(least, max(fewestResent, resentShare*p.segments))
	}
	return lossFrom(least)(p, good, greatest)
}

// gap is the least ratio between the best of the lossy paths and the worst of the others:
// if losses rise without a step, nobody is to blame.
const gap = 3

// leastReadings is how often a single path must have lost packets: one burst of losses is
// chance, and no other path confirms it.
const leastReadings = 2

// nextToNone is the factor by which all other paths must lose less for one reading to be
// enough.
const nextToNone = 100

// leastPaths is how many paths it takes to tell what is usual.
const leastPaths = 6

// signs finds the faults on the paths of one host, or on one path, of each
// network.
func signs(matrices []Matrix) []Sign {
	var all []Sign
	for _, m := range matrices {
		for _, s := range symptoms {
			if s.metric != m.Metric || m.isSampled() && !slices.Contains(ofSize, m.Metric) {
				continue
			}
			if found, ok := m.sign(s); ok {
				all = append(all, found)
			}
		}
	}
	// Short segments follow from a small MTU: report them only if that was not found.
	narrow := map[string]bool{}
	for _, s := range all {
		narrow[s.Network] = narrow[s.Network] || s.Metric == "net.path_mtu"
	}
	return slices.DeleteFunc(all, func(s Sign) bool { return s.Metric == segmentMetric && narrow[s.Network] })
}

// path is one value from one host to another.
type path struct {
	from, to string
	value    float64
	segments float64 // SideCell.Segments
	readings int
	bad      bool
}

// sign finds the widest view whose paths are all bad while no others are, and marks
// them.
func (m *Matrix) sign(of symptom) (Sign, bool) {
	var paths []path
	var values []float64
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil && c.Via == "" {
			paths = append(paths, path{from: m.Hosts[from], to: m.Hosts[to], value: c.Figure.Value, segments: c.Segments, readings: c.Figure.N})
			values = append(values, c.Figure.Value)
		}
	})
	if len(paths) < leastPaths {
		return Sign{}, false
	}
	slices.Sort(values)
	if m.Better == "higher" {
		slices.Reverse(values)
	}
	// If one of three hosts is bad both ways, a third of the paths is good.
	good, greatest := values[len(values)/4], slices.Max(values)
	for i := range paths {
		paths[i].bad = of.bad(paths[i], good, greatest)
	}
	worse := func(a, b float64) bool { return a > b }
	if m.Better == "higher" {
		worse = func(a, b float64) bool { return a < b }
	}
	for _, v := range views {
		for _, key := range v.suspects(paths) {
			s, readings, ok := v.explains(key, paths, worse)
			plain := of.plain > 0 && s.Least >= of.plain && s.Others <= s.Least/nextToNone
			if ok && (m.Metric != spreadMetric || s.Paths > 1) && (m.Better == "higher" || s.Least >= gap*s.Others && (readings >= leastReadings || plain)) {
				s.Network, s.Metric = m.Network, m.Metric
				m.markWorse(key, v)
				return s, true
			}
		}
	}
	return Sign{}, false
}

// markWorse marks the cells of a key.
func (m *Matrix) markWorse(key string, v view) {
	m.each(func(from, to int, c *SideCell) {
		if c.Figure != nil && c.Via == "" && slices.Contains(v.keys(m.Hosts[from], m.Hosts[to]), key) {
			c.Odd = oddWord(false)
		}
	})
}

// suspects returns the keys of the bad paths, each once.
func (v view) suspects(paths []path) []string {
	var all []string
	for _, p := range paths {
		for _, k := range v.keys(p.from, p.to) {
			if p.bad && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// explains reports whether all paths of a key are bad and no others are; readings is
// how often they were measured.
func (v view) explains(key string, paths []path, worse func(a, b float64) bool) (s Sign, readings int, ok bool) {
	others := 0
	s.Ways = v.ways
	s.Host, s.Peer, _ = strings.Cut(key, "\x00")
	for _, p := range paths {
		own := slices.Contains(v.keys(p.from, p.to), key)
		switch {
		case own != p.bad:
			return Sign{}, 0, false
		case !own && (others == 0 || worse(p.value, s.Others)):
			s.Others = p.value
			fallthrough
		case !own:
			others++
			continue
		}
		if s.Paths == 0 {
			s.Least = p.value
		}
		s.Least, s.Greatest = min(s.Least, p.value), max(s.Greatest, p.value)
		s.Paths, readings = s.Paths+1, readings+p.readings
	}
	return s, readings, s.Paths > 0 && others > 0
}
