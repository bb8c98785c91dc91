package selection

import (
	"time"

	"assay"
)

// span is a half-open interval of time.
type span struct{ from, to time.Time }

// readDates parses the values of a date term.
func (t *Term) readDates(word string) error {
	for _, v := range t.Values {
		s, err := readSpan(v)
		if err != nil {
			return assay.WithHint("as in 2026-11-01, 2026-11 or 2026-11-01T20:05", "%s: %q is %w", word, v, err)
		}
		t.spans = append(t.spans, s)
	}
	if len(t.spans) > 1 && t.Op != "=" && t.Op != "!=" {
		return assay.WithHint("use a single date", "%s: %s cannot be used with several dates", word, t.Op)
	}
	return nil
}

func readSpan(text string) (span, error) {
	for layout, end := range map[string]func(time.Time) time.Time{
		"2006-01":          func(t time.Time) time.Time { return t.AddDate(0, 1, 0) },
		"2006-01-02":       func(t time.Time) time.Time { return t.AddDate(0, 0, 1) },
		"2006-01-02T15:04": func(t time.Time) time.Time { return t.Add(time.Minute) },
		time.RFC3339:       func(t time.Time) time.Time { return t.Add(time.Second) },
	} {
		if from, err := time.Parse(layout, text); err == nil {
			return span{from, end(from)}, nil
		}
	}
	return span{}, errDate
}

// at reports whether t satisfies the operator.
func (s span) at(op string, t time.Time) bool {
	switch op {
	case ">=":
		return !t.Before(s.from)
	case ">":
		return !t.Before(s.to)
	case "<":
		return t.Before(s.from)
	case "<=":
		return t.Before(s.to)
	}
	return !t.Before(s.from) && t.Before(s.to) // "=", and "!=" as its opposite
}
