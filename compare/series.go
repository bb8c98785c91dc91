package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// figure is what must be the same for two figures to be compared.
type figure struct {
	probe, name string // of the case
	kind        assay.SubjectKind
	metric      string
	direction   string // "reverse" where data flowed both ways at once
}

// series is the values of one figure of one result.
type series struct {
	Pick
	figure
	values []float64 // one a counted repeat
	labels map[string]string
}

// reverse is the label of what flowed back on a link.
const reverse = "reverse"

// seriesOf gives the figures of a result that wanted says yes to, each with one
// value a repeat: the first measurement of it, as everywhere.
func seriesOf(p Pick, wanted func(assay.Measurement) bool) []*series {
	var all []*series
	at := map[figure]*series{}
	for _, rep := range p.Result.Counted() {
		seen := map[figure]bool{}
		for _, m := range rep.Measurements {
			if !wanted(m) {
				continue
			}
			t := p.Result.Trial
			f := figure{t.Probe, t.Case, t.Subject.Kind, m.Metric, ""}
			if t.Subject.Kind == assay.KindLink && m.Labels["direction"] == reverse {
				f.direction = reverse
			}
			if seen[f] {
				continue
			}
			seen[f] = true
			s := at[f]
			if s == nil {
				s = &series{Pick: p, figure: f, labels: m.Labels}
				at[f], all = s, append(all, s)
			}
			s.values = append(s.values, m.Value)
		}
	}
	return all
}

// headlines are the metrics that say how fast something is, but for storage,
// where the size of the blocks decides.
var headlines = []string{
	"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth",
	"net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
	"object.put.throughput", "object.get.throughput", "migration.throughput", "migration.downtime",
}

// largeBlock is the block size in bytes from which on bytes count, and below
// which operations do.
const largeBlock = 64 << 10

// headline says whether a measurement is what its trial is about. Of storage, and
// of pools of it, these are the operations of small blocks and the bytes of large
// ones; where no operations were counted, the bytes.
func headline(r *assay.Result, m assay.Measurement) bool {
	if slices.Contains(headlines, m.Metric) {
		return true
	}
	family, figure, _ := strings.Cut(m.Metric, ".")
	if family != "storage" && family != "pool" || figure == "" {
		return false
	}
	stem := m.Metric[:strings.LastIndexByte(m.Metric, '.')+1]
	counts := len(r.Values(stem+"iops")) > 0
	if size, known := blockSize(m.Labels, r.Trial.Settings); known {
		counts = counts && size < largeBlock
	}
	if counts {
		return m.Metric == stem+"iops" && strings.Count(m.Metric, ".") == 2
	}
	return m.Metric == stem+"bandwidth" && strings.Count(m.Metric, ".") == 2
}

// blockSize gives the size of the blocks in bytes.
func blockSize(from ...map[string]string) (int64, bool) {
	for _, words := range from {
		if n, ok := size(words["bs"]); ok {
			return n, true
		}
	}
	return 0, false
}

// sizeWord is a size as tools are told it: 4096, 4k, 1M, 64KiB.
var sizeWord = regexp.MustCompile(`^(?i)(\d{1,15})([kmgt]?)(?:i?b)?$`)

// size reads a size in bytes; its prefixes are binary.
func size(word string) (int64, bool) {
	parts := sizeWord.FindStringSubmatch(word)
	if parts == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	shift := 10 * (strings.Index("kmgt", strings.ToLower(parts[2])) + 1)
	if parts[2] == "" {
		shift = 0
	}
	return n << shift, err == nil && n > 0 && n < 1<<(62-shift)
}

// judgeable says whether a measurement is a figure that has a better and a worse.
func judgeable(m assay.Measurement) bool {
	described, known := assay.Describe(m.Metric)
	return known && !described.Support && described.Better != assay.Neither && !strings.HasPrefix(m.Metric, "smart.")
}

// rejected gives the rule that rejected a figure of a result, or "".
func (s *series) rejected() string {
	for _, f := range s.Run.Findings {
		if f.Severity == assay.Rejects && f.Subject == s.Result.Trial.ID && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, s.metric)) {
			return f.Rule
		}
	}
	return ""
}

// silent says why a result has no figure at all.
func silent(r *assay.Result) string {
	if a := r.Trial.Absent; a != nil {
		return fmt.Sprintf("%s: %s", a.Word, a.Why)
	}
	for _, rep := range r.Repeats {
		if rep.Outcome == assay.Broke {
			return fmt.Sprintf("%s: %s", assay.Failed, rep.Error)
		}
	}
	return "no repeat of it counts"
}
