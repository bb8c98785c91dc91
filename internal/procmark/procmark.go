// Package procmark defines the mark that identifies the processes of a run: a
// variable in their environment.
package procmark

import (
	"fmt"
	"strings"
)

// Name is the variable that holds the mark.
const Name = "ASSAY_MARK"

// Check rejects a mark that would be read as several, or cut short: a process that has
// any of them would be killed.
func Check(mark string) error {
	if strings.ContainsAny(mark, "\n\x00") {
		return fmt.Errorf("%.40q cannot mark processes", mark)
	}
	return nil
}
