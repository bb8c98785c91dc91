package read

import (
	"slices"
	"strings"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// tagForm is the program that logged a line: "pmxcfs[1892]: …".
var tagForm = lazyregexp.New(`^([A-Za-z][\w.@/-]*)\[\d+\]`)

var (
	complaintForm = lazyregexp.New(`(?i)\b(?:fail(?:ed|ure|s|ing)?|errors?|panic|fault|timed out|corrupt(?:ed|ion)?|refused|cannot|can't|could not|unable|crit(?:ical)?|fatal|denied|crash(?:ed)?)\b`)
	nothingForm   = lazyregexp.New(`(?i)\b(?:0|no|without) (?:errors?|fail)`)
)

// complaints keeps what programs say, until it is known which of them are understood.
type complaints struct {
	heard []string // programs of which a line was recognised
	open  []incident.Complaint
}

// hear takes note of one of the first lines of a text.
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

// unknown are the complaints of programs of which no line was recognised.
func (k *complaints) unknown() []incident.Complaint {
	return slices.DeleteFunc(slices.Clone(k.open), func(c incident.Complaint) bool {
		name, _, _ := strings.Cut(c.Text, "[")
		return slices.Contains(k.heard, name)
	})
}
