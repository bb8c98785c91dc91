package version

import (
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

var numbers = lazyregexp.New(`\d+(\.\d+)*`)

// Older reports whether have is an older version than least. A version without a
// number is never older: nothing is known against it.
func Older(have, least string) bool {
	h, l := numbers.FindString(have), numbers.FindString(least)
	if h == "" || l == "" {
		return false
	}
	hs, ls := strings.Split(h, "."), strings.Split(l, ".")
	for i := range ls {
		want := number(ls[i])
		got := 0
		if i < len(hs) {
			got = number(hs[i])
		}
		if got != want {
			return got < want
		}
	}
	return false
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1 << 30 // longer than any version: not older
	}
	return n
}
