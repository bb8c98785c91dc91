// Package procmark is the mark by which the processes of a run are found again: a
// variable in their environment.
package procmark

import (
	"fmt"
	"strings"
)

// Name is the variable that holds the mark.
const Name = "ASSAY_MARK"

// Check refuses a mark that would be taken for several, or cut short: a process that has
// any of them would be killed.
func Check(mark string) error {
	if strings.ContainsAny(mark, "\n\x00") {
		return fmt.Errorf("%.40q cannot mark processes", mark)
	}
	return nil
}
