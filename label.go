package assay

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Remark is a note added to a run afterwards.
type Remark struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Maximum lengths of labels and remarks, in characters.
const (
	longestLabel  = 100
	longestRemark = 1000
)

// labelName matches valid label names: one word that needs no shell quoting and that a
// selection can name.
var labelName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]{0,62}$`)
})

// ErrLabel and ErrRemark report that something is not a valid label or remark of a run.
var (
	ErrLabel  = errors.New("not a label")
	ErrRemark = errors.New("not a note")
)

// ParseLabel parses NAME=VALUE.
func ParseLabel(word string) (name, value string, err error) {
	name, value, found := strings.Cut(word, "=")
	if !found {
		return "", "", WithHint("give a name and a value, for example job=nightly", "%q is %w", word, ErrLabel)
	}
	return name, value, CheckLabel(name, value)
}

// CheckLabel rejects labels that no selection could name, or that would break the lines
// in which they are shown.
func CheckLabel(name, value string) error {
	switch {
	case !labelName().MatchString(name):
		return WithHint("a name is a letter, then letters, digits, dots, dashes and underscores, at most 63 characters", "%q is %w: wrong name", name+"="+value, ErrLabel)
	case value == "" || utf8.RuneCountInString(value) > longestLabel || !printable(value):
		return WithHint("a value is 1 to 100 printable characters", "%q is %w: wrong value", name+"="+value, ErrLabel)
	case strings.ContainsAny(value, ",*") || strings.TrimSpace(value) != value:
		return WithHint("selections use commas and asterisks: label."+name+"=a,b*", "%q is %w: its value cannot be selected", name+"="+value, ErrLabel)
	}
	return nil
}

// CheckRemark rejects a text that is empty, too long or more than one line.
func CheckRemark(text string) error {
	if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > longestRemark || !printable(text) {
		return WithHint("write one line of at most 1000 printable characters", "%q is %w", shortened(text), ErrRemark)
	}
	return nil
}

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// shortened returns enough of a text to recognize it.
func shortened(text string) string {
	const enough = 40
	if runes := []rune(text); len(runes) > enough {
		return string(runes[:enough]) + "…"
	}
	return text
}
