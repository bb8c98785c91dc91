package multiclient

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Counts are the numbers of hosts, from two on, that a case is measured on where
// there are n: each up to six, then those twice as many as the last, and all.
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

// suffix ends the name of a case on several hosts: it must not be taken for the
// same case on one, by whom it is compared or gated.
const suffix = "-hosts"

// Case names a case on k hosts at once: randread-4k-3-hosts.
func Case(base string, k int) string { return fmt.Sprintf("%s-%d%s", base, k, suffix) }

// Base is the case of a trial as the suite calls it.
func Base(t assay.Trial) string {
	if len(t.Others) == 0 {
		return t.Case
	}
	return strings.TrimSuffix(t.Case, "-"+strconv.Itoa(Hosts(t))+suffix)
}

// Title is what people read of a case on k hosts at once.
func Title(base string, k int) string { return fmt.Sprintf("%s on %d hosts at once", base, k) }

// Hosts is how many hosts a trial is on at the same moment.
func Hosts(t assay.Trial) int { return 1 + len(t.Others) }

// Subjects are the subjects that are measured at the same moment, the trial's own
// first.
func Subjects(t assay.Trial) []assay.Subject {
	return append([]assay.Subject{t.Subject}, t.Others...)
}

// Parts are the trial as each of its hosts sees it: of the suite's case, on one
// subject alone.
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
