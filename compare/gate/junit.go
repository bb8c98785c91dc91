package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"assay/internal/oneline"
)

// The parts of JUnit XML that Jenkins, GitLab and readers for GitHub understand.
type (
	testSuites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Suite    testSuite
	}
	testSuite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"` // s that the new side measured
		Failure *message `xml:"failure"`
		Error   *message `xml:"error"`
		Skipped *message `xml:"skipped"`
		Out     string   `xml:"system-out,omitempty"`
	}
	message struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the gate as JUnit XML, one test case per figure: what fails the gate is a
// failure, what could not be compared with the base an error, and what is undecided or has
// no base is skipped, with the reason, unless nothing has a base. strict is as for Figure.Fails. name returns a figure's name,
// describe its numbers.
func (g Gate) WriteJUnit(w io.Writer, strict bool, name, describe func(Figure) string) error {
	suite := testSuite{Name: "assay gate"}
	taken := map[string]int{}
	for _, f := range g.Figures {
		c := testCase{Class: oneline.Clean("assay." + f.Probe + "." + f.Case), Name: oneline.Clean(name(f)), Time: fmt.Sprintf("%.3f", f.seconds())}
		// A reader that finds a name twice keeps only one of them.
		if taken[c.Class+c.Name]++; taken[c.Class+c.Name] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, taken[c.Class+c.Name])
		}
		said := string(f.Verdict) + ": " + describe(f)
		switch {
		case f.Fails(strict):
			c.Failure = &message{Message: said, Type: string(f.Verdict), Text: said}
			suite.Failures++
		case f.Verdict == Passed:
			c.Out = said
		case g.Empty() || slices.Contains([]Verdict{Failed, Missing, TooFew, Unlike}, f.Verdict):
			c.Error = &message{Message: said, Type: string(f.Verdict), Text: said}
			suite.Errors++
		default:
			c.Skipped = &message{Message: said}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	all := testSuites{Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Skipped: suite.Skipped, Suite: suite}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(oneline.Deep(all)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// seconds returns how long all repeats of the new side measured.
func (f Figure) seconds() float64 {
	if c := f.Cells[1]; c != nil && c.Unit == "repeats" {
		return c.Seconds * float64(c.N)
	}
	return 0
}
