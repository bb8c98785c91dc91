package report

import (
	"strings"
	"testing"

	"assay/analysis"
	"assay/analysis/fitness"
)

func TestWhatUsesWouldFeel(t *testing.T) {
	judged := func(use fitness.Use, grade fitness.Grade) fitness.Fitness {
		f := fitness.Judge(fitness.Logs, fitness.Readings{})
		for _, one := range f {
			if one.Use == use {
				one.Grade = grade
				return one
			}
		}
		return fitness.Fitness{}
	}
	for _, c := range []struct {
		w    analysis.Wait
		want string
	}{
		{analysis.Wait{Fitness: judged(fitness.Etcd, fitness.Unfit), P99: 16e-3, P999: 23e-3},
			"etcd waits 16.0 ms for fdatasync at p99, 23.0 ms at p99.9, too slow: at most 10 ms wanted (etcd FAQ); expect leader elections and slow API calls."},
		{analysis.Wait{Fitness: judged(fitness.Databases, fitness.Good), Storage: "fast", Rate: 137, P999: 23e-3, Group: []analysis.GroupCommit{{Writers: 4, Rate: 400}, {Writers: 16, Rate: 1234}}},
			"A database on fast commits 137 times a second in one session (7.30 ms each, 23.0 ms at p99.9), 1,234 times in 16 sessions together, enough: at least 100 a second wanted (SQL Server I/O guide)."},
		{analysis.Wait{Fitness: judged(fitness.VMDisks, fitness.Borderline), Median: 2e-3, P99: 10e-3, Rate: 500, Async: 5000, InFlight: 16},
			"A VM waits 2.00 ms for each durable 4 KiB write, 10.0 ms at p99, borderline: at most 10 ms wanted (Amazon EBS gp3 baseline); without waiting, 16 in flight, it writes 10 × as fast."},
	} {
		if got := waitWords(c.w); got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
	blocks := waitBlocks(waitsOf([]analysis.Wait{{Fitness: judged(fitness.Databases, fitness.Good), Size: 8192, Rate: 137}}))
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	if all := waitBlocks(nil); all != nil || strings.Contains(writeSize(2300), "KiB") || writeSize(8192) != "8 KiB" {
		t.Errorf("%v, %q, %q", all, writeSize(2300), writeSize(8192))
	}
}
