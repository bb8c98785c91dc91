package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/store"
)

// format is the format number that this package writes, and the latest that it
// reads.
const format = 1

// Bounds on the cost of reading a file. Writers respect them, too.
const (
	// largest is the maximum size of a record in bytes, both as text and decoded. The
	// store keeps no larger piece.
	largest = 256 << 20
	// A file may unpack to freely bytes plus perByte for each of its own. Tool output
	// packs to a tenth.
	freely  = 16 << 20
	perByte = 256
	// mostRuns is the maximum number of runs in a file: each takes a
	// transaction.
	mostRuns = 10_000
)

// checkGrowth rejects a file that unpacks to much more than its size.
func checkGrowth(unpacked, packed int64) error {
	if unpacked > freely+perByte*packed {
		return assay.WithHint("no export of assay is packed like that: do not trust its source",
			"%w: its first %d bytes unpack to more than %d MiB", store.ErrDamaged, packed, (unpacked-1)>>20)
	}
	return nil
}

const (
	frame      = "\x5a\x2a\x4d\x18\x10\x00\x00\x00" // a skippable frame of 16 bytes
	name       = "assay runs "
	headerSize = len(frame) + len(name) + 5
)

func header(number int) string { return fmt.Sprintf("%s%s%05d", frame, name, number) }

// Is reports whether head starts a portable file. 19 bytes are enough to tell.
func Is(head []byte) bool { return strings.HasPrefix(string(head), frame+name) }

// checkHeader rejects anything but a portable file, and later formats.
func checkHeader(head string) error {
	if !Is([]byte(head)) {
		return assay.WithHint("a portable file is what `assay export` writes", "not a portable file of assay")
	}
	n, err := strconv.Atoi(head[len(frame)+len(name):])
	switch {
	case err != nil || n < 1:
		return damaged("invalid header: %q", head[len(frame):])
	case n > format:
		return assay.WithHint("upgrade assay, or export it with an older version",
			"it has format %d, this assay supports %d: %w", n, format, store.ErrNewer)
	}
	return nil
}

// record is one line: exactly one member is set.
type record struct {
	Run        *runRecord      `json:"run,omitempty"`
	Trial      *trialRecord    `json:"trial,omitempty"`
	Repeat     *assay.Repeat   `json:"repeat,omitempty"`
	Transcript json.RawMessage `json:"transcript,omitempty"`
	End        *endRecord      `json:"end,omitempty"`
}

// runRecord hides the results, which have records of their own.
type runRecord struct {
	assay.Run
	Results []struct{} `json:"results,omitempty"`
}

type trialRecord struct {
	Trial   assay.Trial   `json:"trial"`
	Scratch assay.Scratch `json:"scratch,omitzero"`
}

type endRecord struct {
	Runs   int    `json:"runs"`
	SHA256 string `json:"sha256"`
}

// members counts the members that are set.
func (r record) members() (n int) {
	for _, is := range []bool{r.Run != nil, r.Trial != nil, r.Repeat != nil, r.Transcript != nil, r.End != nil} {
		if is {
			n++
		}
	}
	return n
}

// damaged returns an error that matches store.ErrDamaged.
func damaged(why string, args ...any) error {
	return assay.WithHint("get the file again: it was truncated or changed in transit", "%w: "+why, append([]any{store.ErrDamaged}, args...)...)
}

// newer returns the error for a member that this assay does not know.
func newer(err error) error {
	return assay.WithHint("upgrade assay, or export it with an older version", "%w (%w)", store.ErrNewer, err)
}

// isUnknown reports whether encoding/json met a member that the type lacks. It has no
// error type for that.
func isUnknown(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.HasPrefix(err.Error(), "json: unknown field ") {
			return true
		}
	}
	return false
}
