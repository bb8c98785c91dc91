package watch

import (
	"cmp"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
)

// process identifies a process of a host: ids are reused, but not with the same
// start.
type process struct{ pid, start string }

// processes holds the user processes that have used some CPU time, with their
// totals.
type processes map[process]assay.ProcessTime

// process parses "PID START TICKS NAME", where the name may contain anything.
func (r *reader) process(s string, into processes) {
	words := strings.SplitN(s, " ", 4)
	if len(words) < 4 {
		return
	}
	if ticks, err := strconv.ParseUint(words[2], 10, 48); err == nil {
		into[process{words[0], words[1]}] = assay.ProcessTime{Name: strings.ToValidUTF8(words[3], "?"), CPU: float64(ticks) / r.hertz}
	}
}

const (
	// busiest is how many processes are reported.
	busiest = 3
	// someTime is the least time, in s, for a name to be reported: the script skips
	// processes that have used less than half of that since they started.
	someTime = .2
)

// since returns the busiest processes between two looks, summed by name: six workers
// that use a little each keep a CPU busy. One that is new had used next to nothing
// before.
func (p processes) since(before processes) []assay.ProcessTime {
	used := map[string]float64{}
	for id, now := range p {
		used[now.Name] += now.CPU - before[id].CPU
	}
	var all []assay.ProcessTime
	for name, cpu := range used {
		if cpu >= someTime {
			all = append(all, assay.ProcessTime{Name: name, CPU: cpu})
		}
	}
	order.Stable(all, func(a, b assay.ProcessTime) int {
		return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), busiest)]
}
