package quantity

import (
	"strconv"
	"strings"
)

// mostRanges is how many numbers of a sentence may be ranges before it is hard to
// follow.
const mostRanges = 2

// Ranges merges sentences that differ only in one or two numbers: "waited for 95.3 to
// 97.1 % of the time". It returns false if they differ otherwise.
func Ranges(texts []string) (string, bool) {
	all := make([][]string, len(texts))
	for i, text := range texts {
		if all[i] = split(text); len(all[i]) != len(all[0]) {
			return "", false
		}
	}
	if len(all) == 0 {
		return "", false
	}
	var out strings.Builder
	ranges := 0
	for at, part := range all[0] {
		least, most := part, part
		for _, parts := range all[1:] {
			other := parts[at]
			if at%2 == 0 && other != part {
				return "", false
			}
			if at%2 == 1 && value(other) < value(least) {
				least = other
			}
			if at%2 == 1 && value(other) > value(most) {
				most = other
			}
		}
		if out.WriteString(least); most != least {
			ranges++
			out.WriteString(" to " + most)
		}
	}
	return out.String(), ranges <= mostRanges
}

// split returns the text around numbers at even places, and the numbers at odd ones.
// Digits after a letter belong to a name, as in nvme0n1, and those with several points to
// an address or a version.
func split(text string) []string {
	var parts []string
	from := 0
	for i := 0; i < len(text); {
		if !digit(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && (digit(text[end]) || (text[end] == '.' || text[end] == ',') && end+1 < len(text) && digit(text[end+1])) {
			end++
		}
		if number := text[i:end]; strings.Count(number, ".") < 2 && (i == 0 || !ofName(text[i-1])) {
			parts = append(parts, text[from:i], number)
			from = end
		}
		i = end
	}
	return append(parts, text[from:])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// ofName reports whether digits after a byte continue a name or another number.
func ofName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || strings.IndexByte("_-./:", c) >= 0
}

func value(number string) float64 {
	v, _ := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64) // split gives nothing else
	return v
}
