package table

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

var (
	plainNumber = lazyregexp.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$`)
	// grouped figures have a comma before every three digits: 42,270 and 1,234,567.8.
	groupedNumber = lazyregexp.New(`^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$`)
	leadingNumber = lazyregexp.New(`^[+-]?[.,]?\d[\d.,]*([eE][+-]?\d{1,3})?`)
)

// number parses digits. A comma before every three of them groups; any other
// comma is an error, since it is ambiguous.
func number(word string) (float64, error) {
	switch {
	case plainNumber.MatchString(word):
	case groupedNumber.MatchString(word):
		word = strings.ReplaceAll(word, ",", "")
	case strings.Contains(word, ","):
		return 0, fmt.Errorf("%.40q is not a number: use a decimal point, not a comma", word)
	default:
		return 0, fmt.Errorf("%.40q is not a number", word)
	}
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("%.40q is too large a number", word)
	}
	return v, nil
}

// thousands maps a letter right after a number to its factor.
var thousands = map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6}

// cutNumber splits "9.39 Gb/s" into 9.39 and "Gb/s", and "+9°C" into 9 and "°C".
func cutNumber(text string) (v float64, rest string, err error) {
	text = strings.TrimSpace(text)
	digits := leadingNumber.FindString(text)
	if digits == "" {
		return 0, "", fmt.Errorf("%.40q is not a number", text)
	}
	v, err = number(strings.TrimRight(digits, ".,"))
	return v, strings.TrimSpace(text[len(digits):]), err
}

var errNoUnit = errors.New("has no unit")

// value parses a number with its unit into base units: "7,659 MiB/s", or "359k"
// of a counted thing. otherwise is the unit if the text has none. Errors are
// errNoUnit, or say what is wrong.
func value(text, otherwise string, of assay.Metric) (float64, error) {
	v, rest, err := cutNumber(text)
	if err != nil {
		return 0, err
	}
	if factor, ok := thousands[rest]; ok && (of.Unit == assay.PerSecond || of.Unit == assay.One || otherwise != "") {
		v, rest = v*factor, ""
	}
	if rest == "" {
		rest = otherwise
	}
	if rest == "" && of.Unit == assay.One && of.Name != "" {
		rest = "1"
	}
	if rest == "" && of.Unit == assay.PerSecond {
		rest = "1/s"
	}
	if rest == "" {
		return 0, errNoUnit
	}
	m, ok := unit(rest)
	if !ok {
		near := nearestUnit(rest, of.Unit)
		if near != "" {
			near = fmt.Sprintf("; did you mean %s?", near)
		}
		return 0, fmt.Errorf("unknown unit %.40q%s", rest, near)
	}
	if m.base != of.Unit {
		return 0, fmt.Errorf("%s is not in %.40s: its units are %s", of.Name, rest, strings.Join(common[of.Unit], ", "))
	}
	if m.size < 1 {
		v /= math.Round(1 / m.size) // exact, unlike a factor: 713.22 ms is .71322 s
	} else {
		v *= m.size
	}
	if math.IsInf(v, 0) {
		return 0, fmt.Errorf("%.40q is too large a number", text)
	}
	if v < 0 && of.Unit != assay.Celsius {
		return 0, fmt.Errorf("%s of %.40s is impossible", of.Name, text)
	}
	return v, nil
}
