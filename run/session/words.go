package session

import (
	"fmt"
	"strings"
)

func list(names []string) string { return strings.Join(names, ", ") }

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
