package setting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/prose"
)

// Reader reads the settings of one case. Each of its methods names a setting that the
// probe knows; call Err when all are named.
type Reader struct {
	label  string
	set    map[string]string
	stored bool
	known  []string
	err    error
}

// Of returns a reader of the settings of the case called label.
func Of(label string, set map[string]string) *Reader { return &Reader{label: label, set: set} }

// Stored returns a reader of the settings of a trial of that case, to which its probe added
// its own: none is unknown.
func Stored(label string, set map[string]string) *Reader {
	return &Reader{label: label, set: set, stored: true}
}

// Err returns the first error: a setting that nobody named, or else a bad value, in the
// order in which they were read. It names the case and the setting.
func (r *Reader) Err() error {
	var unknown []string
	for key := range r.set {
		if !r.stored && !slices.Contains(r.known, key) {
			unknown = append(unknown, key)
		}
	}
	switch {
	case len(unknown) > 0 && len(r.known) == 0:
		return assay.WithHint("this probe has no settings: remove it", "case %s: %s: unknown setting", r.label, slices.Min(unknown))
	case len(unknown) > 0:
		return assay.WithHint("valid settings are "+prose.And(r.known), "case %s: %s: unknown setting", r.label, slices.Min(unknown))
	}
	return r.err
}

// Refuse records that settings make no sense together.
func (r *Reader) Refuse(format string, args ...any) {
	r.fail(fmt.Errorf("case %s: "+format, append([]any{r.label}, args...)...))
}

// Need records an error if a setting is missing.
func (r *Reader) Need(key, hint string) {
	if _, is := r.value(key); !is {
		r.fail(assay.WithHint(hint, "case %s: %s is missing", r.label, key))
	}
}

// NoEffect refuses a setting that is present but does nothing.
func (r *Reader) NoEffect(key string, nothing bool, when string) {
	if _, is := r.value(key); is && nothing {
		r.Refuse("%s has no effect when %s", key, when)
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

// Is reports whether a setting equals word.
func (r *Reader) Is(key, word string) bool {
	value, is := r.value(key)
	return is && value == word
}

// Read calls read on a setting, if it is there.
func (r *Reader) Read(key string, read func(value string) error) {
	if value, is := r.value(key); is {
		if err := read(value); err != nil {
			r.wrong(key, "%w", err)
		}
	}
}

// Word returns a setting that must be one of the allowed words.
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

// Choice returns a required setting that must be one of the allowed words.
func (r *Reader) Choice(key string, allowed ...string) string {
	r.Need(key, "use "+prose.Or(allowed))
	return r.Word(key, "", allowed...)
}

// Count returns a setting that is a whole number from least to most.
func (r *Reader) Count(key string, fallback, least, most int) int {
	return r.CountOr("", key, fallback, least, most)
}

// CountOr returns a setting that is a whole number from least to most; 0 if it equals
// word.
func (r *Reader) CountOr(word, key string, fallback, least, most int) int {
	value, is := r.value(key)
	switch {
	case !is:
		return fallback
	case word != "" && value == word:
		return 0
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		r.wrong(key, "%q is %s a whole number from %d to %d", value, not(word), least, most)
	}
	return n
}

// not returns the negation for an error; the setting may also be word.
func not(word string) string {
	if word == "" {
		return "not"
	}
	return "neither " + word + " nor"
}

// Seconds returns a setting that is a number of seconds up to most.
func (r *Reader) Seconds(key string, fallback, most time.Duration) time.Duration {
	value, is := r.value(key)
	if !is {
		return fallback
	}
	s, err := strconv.ParseFloat(value, 64)
	if err != nil || !(s >= 0 && s <= most.Seconds()) {
		r.wrong(key, "%q is not a number of seconds from 0 to %g", value, most.Seconds())
		return fallback
	}
	return time.Duration(s * float64(time.Second))
}

// Size returns a setting that is a size in bytes, from least to most: a whole number with k,
// m, g, t or KiB, MiB, GiB, TiB, all of them powers of 1024. KB and the like are refused:
// people use them for both, and fio means a third thing (its KiB is 1000 B).
func (r *Reader) Size(key string, fallback, least, most int64) int64 {
	return r.SizeOr("", key, fallback, least, most)
}

// SizeOr returns a setting that is a size as in Size; 0 if it equals word.
func (r *Reader) SizeOr(word, key string, fallback, least, most int64) int64 {
	value, is := r.value(key)
	switch {
	case !is:
		return fallback
	case word != "" && value == word:
		return 0
	}
	twoMeanings := strings.HasSuffix(value, "B") && !strings.HasSuffix(value, "iB") && strings.Trim(value, "0123456789") != "B"
	n, ok := assay.ParseSize(value)
	switch {
	case !ok || twoMeanings:
		r.wrong(key, "%q is %s a size such as 4k, 1M or 4GiB", value, not(word))
	case most == math.MaxInt64 && n < least:
		r.wrong(key, "%q is %s a size of at least %s", value, not(word), SizeWord(least))
	case n < least || n > most:
		r.wrong(key, "%q is %s a size from %s to %s", value, not(word), SizeWord(least), SizeWord(most))
	}
	return n
}

// SizeWord writes a size in its one canonical form, which is also fio's: 512, 4k, 1m, 1g.
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
