package watch

import (
	"cmp"
	"strconv"
	"strings"

	"assay"
	"assay/internal/order"
)

// process is a process of a host: ids are used again, but not with one start.
type process struct{ pid, start string }

// processes are the user processes that have used some CPU time, with all that they
// have used.
type processes map[process]assay.ProcessTime

// process reads "PID START TICKS NAME", where the name may hold anything.
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
	// busiest is how many processes are told of.
	busiest = 3
	// someTime is what those of a name must have used to be worth it, in s: the script
	// passes over processes that have used half of that since they started.
	someTime = .2
)

// since returns the busiest between two looks, those of one name together: six workers
// that use a little each keep a CPU busy. One that was not seen before had used next to
// nothing.
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
