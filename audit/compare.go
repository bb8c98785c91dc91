package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/stats"
)

// claim is one figure in a comparison: what a result did in one direction.
type claim struct {
	look
	family string // storage, memory, cpu, net, object, pool
	course string // read, write; put, get; tcp, udp; "" where there is none
	stem   string // of its metrics: "storage.read."; "" where none was published
}

// comparedFamilies are the stems of the metrics used in comparisons.
var comparedFamilies = []string{
	"storage.read.", "storage.write.", "memory.read.", "memory.write.", "cpu.", "net.tcp.", "net.udp.",
	"object.put.", "object.get.", "object.delete.", "object.list.", "object.head.", "pool.write.", "pool.read.",
}

// claims returns a result's claims, one per direction.
func (l look) claims() []claim {
	var all []claim
	for _, stem := range comparedFamilies {
		if !l.counts(stem) {
			continue
		}
		family, course, _ := strings.Cut(strings.TrimSuffix(stem, "."), ".")
		all = append(all, claim{l, family, course, stem})
	}
	if len(all) == 0 {
		return l.settingsAlone()
	}
	return all
}

// settingsAlone returns the claim of a result that published only its settings,
// with the figures in a picture.
func (l look) settingsAlone() []claim {
	pattern := strings.TrimPrefix(l.label("", "pattern"), "rand")
	if pattern != "read" && pattern != "write" {
		return nil
	}
	return []claim{{l, "storage", pattern, ""}}
}

// counts reports whether a result has a figure above zero in a family of metrics,
// other than those kept for the audit.
func (l look) counts(stem string) bool {
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			if !strings.HasPrefix(m.Metric, stem) || !(m.Value > 0) || !stats.Finite(m.Value) {
				continue
			}
			if known, ok := assay.Describe(m.Metric); ok && !known.Support {
				return true
			}
		}
	}
	return false
}

// says returns a label of the claim's own figures, "" if they have none.
func (c claim) says(key string) string {
	for _, r := range c.reps {
		for _, m := range r.Measurements {
			if v := m.Labels[key]; v != "" && strings.HasPrefix(m.Metric, c.stem) {
				return v
			}
		}
	}
	return ""
}

// varies reports whether a comparison says that it varies this very setting.
func (c claim) varies(key string) bool {
	return slices.Contains(strings.FieldsFunc(c.says("varies"), func(r rune) bool { return r == ',' || r == ' ' }), key)
}

// thing identifies what is compared: a subject, and what is varied on it.
func (c claim) thing() string {
	words := []string{c.Trial.Subject.ID, c.says("subject")}
	for _, key := range strings.FieldsFunc(c.says("varies"), func(r rune) bool { return r == ',' || r == ' ' }) {
		words = append(words, key+"="+c.says(key))
	}
	return strings.Join(words, " ")
}

// test identifies one of several tests in a comparison: random reads of 4 KiB
// are compared with random reads of 4 KiB, whatever else is in the table.
func (c claim) test() string {
	bs := c.says("bs")
	if n, ok := parseSize(bs); ok {
		bs = strconv.FormatInt(n, 10)
	}
	var order string
	switch pattern := c.says("pattern"); {
	case isRandom(pattern):
		order = "random"
	case isSequential(pattern):
		order = "sequential"
	}
	size := ""
	if !c.varies("object_size") {
		size = c.says("object_size")
	}
	if isMixed(c.says("pattern")) {
		order += " mix"
	}
	return strings.Join([]string{order, bs, size}, " ")
}

// comparisons returns the claims that somebody compares, by comparison, family
// and course, in order.
func (e Evidence) comparisons() [][]claim {
	type set struct{ comparison, family, course string }
	var order []set
	sets := map[set][]claim{}
	for _, l := range e.looks() {
		if l.Trial.Comparison == "" {
			continue
		}
		for _, c := range l.claims() {
			of := set{l.Trial.Comparison, c.family, c.course}
			if sets[of] == nil {
				order = append(order, of)
			}
			sets[of] = append(sets[of], c)
		}
	}
	var all [][]claim
	for _, of := range order {
		all = append(all, sets[of])
	}
	return all
}

// alike splits such a set into the claims of each test. Tests that only one
// thing has are compared with each other, since that is what a reader does.
func alike(claims []claim) [][]claim {
	var order []string
	tests := map[string][]claim{}
	for _, c := range claims {
		if tests[c.test()] == nil {
			order = append(order, c.test())
		}
		tests[c.test()] = append(tests[c.test()], c)
	}
	var all [][]claim
	var alone []claim
	for _, test := range order {
		if rows := rowsOfSeveral(tests[test]); rows != nil {
			all = append(all, rows...)
		} else if things(tests[test]) > 1 || len(order) == 1 {
			all = append(all, tests[test])
		} else {
			alone = append(alone, tests[test]...)
		}
	}
	if things(alone) > 1 {
		all = append(all, alone)
	}
	return all
}

// rowsOfSeveral splits the claims of one test by table row, if each row compares several
// things: another row is another test with the same block size, for example at another depth.
// It is nil if there is only one row.
func rowsOfSeveral(claims []claim) [][]claim {
	var order []int
	rows := map[int][]claim{}
	for _, c := range claims {
		if !c.foreign() {
			return nil
		}
		line := c.line()
		if rows[line] == nil {
			order = append(order, line)
		}
		rows[line] = append(rows[line], c)
	}
	if len(order) < 2 {
		return nil
	}
	var all [][]claim
	for _, line := range order {
		if things(rows[line]) < 2 {
			return nil
		}
		all = append(all, rows[line])
	}
	return all
}

// line returns that of the claim's first figure.
func (c claim) line() int {
	for _, r := range c.reps {
		for _, m := range r.Measurements {
			return m.Line
		}
	}
	return 0
}

func things(claims []claim) int {
	seen := map[string]bool{}
	for _, c := range claims {
		seen[c.thing()] = true
	}
	return len(seen)
}

// inFlightAsSet returns the intended number of operations in flight, from the
// settings; ok is false if they do not tell.
func (c claim) inFlightAsSet() (n int, ok bool) {
	switch c.family {
	case "storage":
		jobs, okJobs := parseCount(c.says("jobs"))
		depth, okDepth := parseCount(c.says("iodepth"))
		if slices.Contains(syncEngines, c.says("engine")) {
			depth, okDepth = 1, true
		}
		return jobs * depth, okJobs && okDepth
	case "net":
		return parseCount(c.says("streams"))
	case "object":
		return parseCount(c.says("concurrency"))
	case "pool":
		threads, ok := parseCount(c.says("threads"))
		if clients, said := parseCount(c.says("clients")); said {
			threads *= clients
		}
		return threads, ok
	case "cpu", "memory":
		return parseCount(c.says("threads"))
	}
	return 0, false
}

// rateAndLatency returns the operations a second and the mean latency, if both
// were printed.
func (c claim) rateAndLatency() (perSecond, latency float64, ok bool) {
	ops := c.stem + "iops"
	if c.family == "object" {
		ops = c.stem + "ops"
	}
	perSecond, okRate := c.median(ops)
	latency, okLatency := c.median(c.stem + "latency.total.mean")
	if !okLatency {
		latency, okLatency = c.median(c.stem + "latency.mean")
	}
	return perSecond, latency, okRate && okLatency && perSecond > 0 && latency > 0
}

// some lists ids, and how many more there are.
func some(ids []string) string {
	const shown = 4
	if len(ids) <= shown {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:shown-1], ", "), len(ids)-shown+1)
}
