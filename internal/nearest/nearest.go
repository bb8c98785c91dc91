package nearest

import (
	"fmt"
	"strings"
)

// Name returns the one of names that is closest to word, or "" if none is
// within a third of its letters (at least two).
func Name(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, n := range names {
		d := distance(strings.ToLower(word), strings.ToLower(n))
		if strings.HasPrefix(n, word) && word != "" {
			d = min(d, 1)
		}
		if d < least {
			best, least = n, d
		}
	}
	return best
}

// Hint asks whether the nearest was meant; "" if none is near.
func Hint(word string, names []string) string {
	if near := Name(word, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// distance is the Levenshtein distance: how many letters to insert, delete or
// change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
