package read

import (
	"slices"
	"strings"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// tagForm matches the program that logged a line: "pmxcfs[1892]: …".
var tagForm = lazyregexp.New(`^([A-Za-z][\w.@/-]*)\[\d+\]`)

var (
	complaintForm = lazyregexp.New(`(?i)\b(?:fail(?:ed|ure|s|ing)?|errors?|panic|fault|timed out|corrupt(?:ed|ion)?|refused|cannot|can't|could not|unable|crit(?:ical)?|fatal|denied|crash(?:ed)?)\b`)
	nothingForm   = lazyregexp.New(`(?i)\b(?:0|no|without) (?:errors?|fail)`)
)

// complaints collects programs' error lines until it is known which programs are
// understood.
type complaints struct {
	heard []string // programs with a recognised line
	open  []incident.Complaint
}

// hear records one of the first lines of a text.
func (k *complaints) hear(text string, recognised bool, at incident.Source) {
	m := tagForm.FindStringSubmatch(text)
	switch {
	case m == nil:
	case recognised:
		k.heard = append(k.heard, m[1])
	case complaintForm.MatchString(text) && !nothingForm.MatchString(text):
		k.open = append(k.open, incident.Complaint{Text: excerpt(text), Source: at})
	}
}

// unknown returns the complaints of programs without any recognised line.
func (k *complaints) unknown() []incident.Complaint {
	return slices.DeleteFunc(slices.Clone(k.open), func(c incident.Complaint) bool {
		name, _, _ := strings.Cut(c.Text, "[")
		return slices.Contains(k.heard, name)
	})
}
