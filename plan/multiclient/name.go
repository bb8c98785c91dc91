package multiclient

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Counts returns the numbers of hosts, from two on, that a case is measured on
// if there are n: every number if n is at most six, otherwise doubling up to n.
func Counts(n int) []int {
	var all []int
	for k := 2; k <= n; {
		all = append(all, k)
		switch {
		case n <= 6:
			k++
		case k < n:
			k = min(2*k, n)
		default:
			return all
		}
	}
	return all
}

// suffix ends the name of a case on several hosts, so that comparisons and
// gates never take it for the same case on one.
const suffix = "-hosts"

// Case names a case on k hosts at once: randread-4k-3-hosts.
func Case(base string, k int) string { return fmt.Sprintf("%s-%d%s", base, k, suffix) }

// Base returns a trial's case as the suite names it.
func Base(t assay.Trial) string {
	if len(t.Others) == 0 {
		return t.Case
	}
	return strings.TrimSuffix(t.Case, "-"+strconv.Itoa(Hosts(t))+suffix)
}

// Title returns the readable title of a case on k hosts at once.
func Title(base string, k int) string { return fmt.Sprintf("%s on %d hosts at once", base, k) }

// Hosts returns how many hosts a trial is on at once.
func Hosts(t assay.Trial) int { return 1 + len(t.Others) }

// Subjects returns the subjects that are measured at once, the trial's own first.
func Subjects(t assay.Trial) []assay.Subject {
	return append([]assay.Subject{t.Subject}, t.Others...)
}

// Parts returns the trial as each of its hosts sees it: the suite's case, on
// one subject alone.
func Parts(t assay.Trial) []assay.Trial {
	if len(t.Others) == 0 {
		return []assay.Trial{t}
	}
	var all []assay.Trial
	for _, s := range Subjects(t) {
		part := t
		part.Case, part.Subject, part.Others = Base(t), s, nil
		all = append(all, part)
	}
	return all
}
