package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/lab/hosts"
	"assay/report"
)

const (
	memoryHosts  = 64
	memoryRounds = 3 // of querying hosts; runs are made once
)

// measureMemory measures assay's peak memory with 64 hosts.
func measureMemory(ctx context.Context, w wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	works := []struct {
		what   string
		rounds int
		words  []string
		joined bool // the hosts are on networks
	}{
		{fmt.Sprintf("memory, hosts: %d", memoryHosts), memoryRounds, []string{"hosts"}, true},
		{fmt.Sprintf("memory, run: CPU of %d", memoryHosts), 1, []string{"run", "--only", "cpu-1", "--repeats", "1", "--time-budget", "20s"}, false},
		{fmt.Sprintf("memory, run: %s links of %d", thousands(memoryHosts*(memoryHosts-1)), memoryHosts), 1,
			[]string{"run", "--suite", "network", "--only", "rtt", "--repeats", "1", "--time-budget", "20s"}, true},
	}
	var missing []row
	for _, work := range works {
		missing = append(missing, row{what: work.what, claim: smallMemory})
	}
	if missing = noLab(missing...); missing != nil {
		return missing, nil, nil
	}
	err = withHosts(ctx, w, dir, memoryHosts, say, func(s site) error {
		for i, work := range works {
			c := sheet{name: fmt.Sprintf("memory-%d", i), hosts: s.lab.Names()}
			if work.joined {
				c.networks = []string{hosts.Management}
			}
			file, err := s.write(c)
			if err != nil {
				return err
			}
			words := append(slices.Clone(work.words), "-i", file)
			if words[0] == "run" {
				words = append(words, "--seed", "1", "--db", strings.TrimSuffix(file, ".yaml")+".db")
			}
			r := row{what: work.what, unit: assay.Bytes, claim: smallMemory}
			var most footprint
			for range work.rounds {
				s.say(work.what)
				seen, err := s.footprint(ctx, words)
				if err != nil {
					return err
				}
				r.assay = append(r.assay, float64(seen.own))
				most = most.or(seen)
			}
			rows = append(rows, r)
			notes = append(notes, most.note(work.what))
		}
		notes = append(notes, fmt.Sprintf("memory is the peak of assay's own process, on a lab of %d real sshds on this machine", memoryHosts))
		return nil
	})
	return rows, notes, err
}

// footprint runs assay and watches its memory.
func (s site) footprint(ctx context.Context, words []string) (footprint, error) {
	var f footprint
	c := s.assay(words...)
	c.fine = []int{statusRejected, statusPartial}
	c.watch = f.watch
	_, err := c.run(ctx)
	if err == nil && f.own == 0 {
		err = fmt.Errorf("assay %s: its memory could not be read", words[0])
	}
	return f, err
}

// note reports the memory of the ssh processes beside assay.
func (f footprint) note(what string) string {
	return fmt.Sprintf("%s: beside it at most %d ssh processes, with %s of their own and their share of what they share (PSS), %s as ps would add them up (RSS)",
		what, f.children, report.Amount(float64(f.pss), assay.Bytes), report.Amount(float64(f.rss), assay.Bytes))
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
