// Package shell writes words for a POSIX shell to read.
package shell

import "strings"

// Quote quotes word as one word of sh, whatever is in it.
func Quote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
