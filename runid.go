package assay

import (
	"errors"
	"regexp"
	"sync"
)

// longestRunID is the maximum length of a run id, in bytes.
const longestRunID = 100

// runID matches the id of a run: one word that no shell alters, that no program
// takes for an option and that is no path.
var runID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
})

// LatestRun means the newest run wherever a run is named, and is the id of none.
const LatestRun = "latest"

// ErrRunID means that something cannot be the id of a run.
var ErrRunID = errors.New("not the id of a run")

// CheckRunID rejects invalid run ids. An id marks processes, names files and
// appears in commands that people copy, so every id from elsewhere (a database,
// an import) is checked where it is read.
func CheckRunID(id string) error {
	if len(id) > longestRunID || id == LatestRun || !runID().MatchString(id) {
		return WithHint("an id starts with a letter or digit and has only letters, digits, dots, dashes, underscores and plus signs, at most 100 characters",
			"%q is %w", shortened(id), ErrRunID)
	}
	return nil
}
