package audit

import (
	"fmt"

	"assay"
)

var unfair = Rule{
	ID: "unfair", Number: 110, Applies: "sysbench, fio, iperf3", Severities: "I",
	Title:   "Some threads, jobs or streams got more than others",
	Formula: "in imported output: standard deviation of sysbench's events per thread > .10 of their mean; or the fastest of fio's jobs or iperf3's streams > 1.3 x the slowest",
	Source:  "sysbench's thread fairness, fio's least and greatest bandwidth of a group, iperf3's line of each stream; both limits are a choice: equal threads of 10,000 events differ by 1 % by chance",
	Example: "31,600 of 223,386 events a thread: 14.1 %",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			if f := l.shared(); l.foreign() && f != nil {
				found = append(found, *f)
			}
		}
		return found
	},
}

// shared reports how unequal the shares of one load were; nil if they were
// similar or unknown.
func (l look) shared() *assay.Finding {
	metrics := append(l.figures(), l.throughputs()...)
	if len(metrics) == 0 {
		return nil
	}
	arithmetic := ""
	if mean, ok := parseFloat(l.label("", "thread_events")); ok && mean > 0 {
		deviation, _ := parseFloat(l.label("", "thread_events_stddev"))
		if deviation > unfairThreads*mean {
			arithmetic = fmt.Sprintf("%s of %s events a thread: %s", grouped(deviation, 0), grouped(mean, 0), percent(deviation/mean))
		}
	}
	least, okLeast := parseFloat(l.label("", "least_share"))
	most, okMost := parseFloat(l.label("", "most_share"))
	if okLeast && okMost && least > 0 && most > unfairShares*least {
		arithmetic = fmt.Sprintf("from %s to %s: %s", rate(least), rate(most), times(most/least))
	}
	if arithmetic == "" {
		return nil
	}
	f := l.finding("unfair", assay.Informs, metrics, arithmetic,
		"equal threads, jobs or streams got unequal shares: the mean describes none of them, and some may have run on other cores, disks or paths",
		"look at each alone (fio without group_reporting; iperf3's rows; sysbench --threads=1), and at where they ran: taskset, numactl --hardware, ethtool -S IFACE")
	return &f
}
