package rbd

import (
	"bytes"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

type reader struct{}

var (
	_ assay.Measurer = reader{}
	_ assay.Sizer    = reader{}
)

// New returns the probe, which is also a reader.
func New() Tool { return reader{} }

// Format describes how output of rbd bench is recognised.
func (reader) Format() assay.Format {
	return assay.Format{Tool: "rbd", Commands: []string{"rbd"}, Begins: begins, Splits: splits}
}

// The lines of Jewel's bench-write and of rbd bench since. Numbers are as
// printed; bytes/s have a prefix since Mimic.
var (
	head = lazyregexp.New(`^bench(?:-write)?\s+(?:type (\w+)\s+(?:read:write=\d+:\d+\s+)?)?` +
		`io_size (\d+)\s+io_threads (\d+)(?:\s+bytes (\d+))?(?:\s+pattern ([a-z -]+?))?$`)
	table = lazyregexp.New(`^SEC\s+OPS\s+OPS/SEC\s+BYTES/SEC$`)
	row   = lazyregexp.New(`^(\d+)\s+(\d+)\s+` + number + `\s+` + amount + `$`)
	total = lazyregexp.New(`^elapsed:\s+(\d+)\s+ops:\s+(\d+)\s+ops/sec:\s+` + number + `\s+bytes/sec:\s+` + amount + `(?:\s+#.*)?$`)
	mixed = lazyregexp.New(`^(read|write)_ops:\s+(\d+)\s+(?:read|write)_ops/sec:\s+` + number + `\s+(?:read|write)_bytes/sec:\s+` + amount + `$`)
	fault = lazyregexp.New(`^(?:write error|read error|bench failed|rbd: (?:error|io-size|--io-|failed|couldn't))[: ]`)
)

const (
	number = `(-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|nan|inf))`
	amount = number + `(?:\s*([KMGTP]i)?B(?:/s)?)?`
)

func begins(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || strings.IndexByte("bSerw", line[0]) < 0 {
		return false
	}
	return head.MatchString(line) || table.MatchString(line) || total.MatchString(line) || mixed.MatchString(line)
}

// splits reports whether next begins another output: head, table, sum and each
// half of a mixed run occur once.
func splits(sofar []byte, next string) bool {
	next = strings.TrimSpace(next)
	has := func(text string) bool { return bytes.Contains(sofar, []byte(text)) }
	switch {
	case mixed.MatchString(next):
		return has(next[:strings.IndexByte(next, ' ')])
	case total.MatchString(next):
		return has("elapsed:")
	case table.MatchString(next):
		return has("BYTES/SEC") || has("elapsed:")
	}
	return true
}
