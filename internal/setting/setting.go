package setting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
)

// Reader reads the settings of one case. Each of its functions names a setting that the
// probe knows; Err is asked when all were named.
type Reader struct {
	label string
	set   map[string]string
	known []string
	err   error
}

// Of returns a reader of the settings of the case called label.
func Of(label string, set map[string]string) *Reader { return &Reader{label: label, set: set} }

// Err returns the first thing that is wrong: a setting that nobody named, or else a value,
// in the order in which they were read. It names the case and the setting.
func (r *Reader) Err() error {
	var unknown []string
	for key := range r.set {
		if !slices.Contains(r.known, key) {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) > 0 {
		return assay.WithHint("valid settings are "+prose.And(r.known), "case %s: %s: unknown setting", r.label, slices.Min(unknown))
	}
	return r.err
}

// Refuse records that settings make no sense together.
func (r *Reader) Refuse(format string, args ...any) {
	r.fail(fmt.Errorf("case %s: "+format, append([]any{r.label}, args...)...))
}

// Need records that a setting is missing, if it is.
func (r *Reader) Need(key, hint string) {
	if _, is := r.value(key); !is {
		r.fail(assay.WithHint(hint, "case %s: %s is missing", r.label, key))
	}
}

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *Reader) wrong(key, format string, args ...any) {
	r.Refuse(key+": "+format, args...)
}

func (r *Reader) value(key string) (value string, is bool) {
	if !slices.Contains(r.known, key) {
		r.known = append(r.known, key)
	}
	value, is = r.set[key]
	return strings.TrimSpace(value), is
}

// Is reports whether a setting is that word.
func (r *Reader) Is(key, word string) bool {
	value, is := r.value(key)
	return is && value == word
}

// Read has a function read a setting, if it is there.
func (r *Reader) Read(key string, read func(value string) error) {
	if value, is := r.value(key); is {
		if err := read(value); err != nil {
			r.wrong(key, "%w", err)
		}
	}
}

// Word returns a setting that is one of some words.
func (r *Reader) Word(key, fallback string, allowed ...string) string {
	value, is := r.value(key)
	if !is {
		return fallback
	}
	if !slices.Contains(allowed, value) {
		r.wrong(key, "%q is not one of %s", value, strings.Join(allowed, ", "))
	}
	return value
}

// Count returns a setting that is a whole number from 1 to most.
func (r *Reader) Count(key string, fallback, most int) int {
	value, is := r.value(key)
	if !is {
		return fallback
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		r.wrong(key, "%q is not a whole number from 1 to %d", value, most)
	}
	return n
}

// Size returns a setting that is a size in bytes, from least to most: a whole number with k, m, g, t or KiB,
// MiB, GiB, TiB, all of them powers of 1024. KB and the like are refused: people mean both
// things by them, and fio means a third (its KiB is 1000 B).
func (r *Reader) Size(key string, fallback, least, most int64) int64 {
	value, is := r.value(key)
	if !is {
		return fallback
	}
	twoMeanings := strings.HasSuffix(value, "B") && !strings.HasSuffix(value, "iB") && strings.Trim(value, "0123456789") != "B"
	n, ok := assay.ParseSize(value)
	switch {
	case !ok || twoMeanings:
		r.wrong(key, "%q is not a size such as 4k, 1M or 4GiB", value)
	case most == math.MaxInt64 && n < least:
		r.wrong(key, "%q is not a size of at least %s", value, SizeWord(least))
	case n < least || n > most:
		r.wrong(key, "%q is not a size from %s to %s", value, SizeWord(least), SizeWord(most))
	}
	return n
}

// SizeWord writes a size the one way that equal sizes share, which is fio's too: 512, 4k,
// 1m, 1g.
func SizeWord(n int64) string {
	for _, u := range []struct {
		shift  int
		letter string
	}{{30, "g"}, {20, "m"}, {10, "k"}} {
		if n > 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.letter
		}
	}
	return strconv.FormatInt(n, 10)
}
