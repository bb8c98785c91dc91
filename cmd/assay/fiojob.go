package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/plan"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/probe/fio/jobfile"
)

const (
	// jobRepeats is how often each section of a job file is measured.
	jobRepeats = 3
	// layoutRate is the rate at which a slow drive writes its file, in bytes a
	// second.
	layoutRate = 100 << 20
	// usualSpace is the space for a section that does not say how much it
	// needs.
	usualSpace = 4 << 30
)

// jobSuite returns a fio job file as a suite: each section is a case. notes list the
// differences from plain fio. Nothing in the file is run.
func jobSuite(file string, repeats, grounds int) (s suite.Suite, notes []string, err error) {
	text, err := readJobFile(file)
	if err != nil {
		return s, nil, usage(err)
	}
	read, err := jobfile.Read(file, text)
	if err != nil {
		return s, nil, usage(assay.WithHint("assay runs only what stays inside the space that it lends", "%w", err))
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	s = suite.Suite{Name: plainWord(name), Title: "jobs of " + filepath.Base(file), Storage: true, Repeats: repeats}
	if repeats == 0 {
		s.Repeats = jobRepeats
	}
	taken, each, space := map[string]bool{}, time.Duration(0), int64(0)
	for _, section := range read.Sections {
		c := assay.Case{Probe: "fio", Name: plainWord(section.Name), Title: section.Name, On: assay.KindStorage, Set: map[string]string{"job": section.Text()}}
		for n := 2; taken[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s-%d", plainWord(section.Name), n)
		}
		taken[c.Name] = true
		s.Cases = append(s.Cases, c)
		needs := section.Needs()
		if needs == 0 {
			needs = usualSpace
		}
		space = max(space, needs)
		if d := section.Runtime(); d > 0 {
			each += d
		} else {
			each += time.Duration(section.Work(needs)/layoutRate+1) * time.Second
			notes = append(notes, fmt.Sprintf("%s:%d: [%s] has no runtime: it ends when it has moved all of its bytes", file, section.Line, section.Name))
		}
	}
	// Five seconds per repeat on top of its own time, and a twentieth of the total for
	// laying out.
	ground := time.Duration(s.Repeats)*(each*5/4+time.Duration(len(s.Cases))*5*time.Second) + time.Minute
	s.Budget = max(time.Duration(grounds)*ground, 20*time.Duration(space/layoutRate)*time.Second).Round(time.Second)
	if err := plan.Check(s, probeall.Probes()); err != nil {
		return s, nil, usage(err)
	}
	return s, append(read.Notes, notes...), nil
}

// readJobFile reads no more of a file than a job file may have.
func readJobFile(file string) ([]byte, error) {
	f, err := os.Open(file) // #nosec G304 -- the user names it
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, assay.WithHint("give a job file of fio's", "--fio-job %s: not a file", file)
	}
	return io.ReadAll(io.LimitReader(f, jobfile.MostBytes+1))
}

var notPlain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9._]+`) })

// plainWord turns a name into a word that a selection can contain.
func plainWord(name string) string {
	word := strings.Trim(notPlain().ReplaceAllString(name, "-"), "-.")
	if word == "" {
		return "job"
	}
	return word[:min(len(word), 90)]
}
