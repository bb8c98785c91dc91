package iperf3

import (
	"fmt"
	"math"
	"strconv"
)

// greatest is more than any network moves or any test lasts.
const greatest = 1e18

// prefixes are exponents: of 1024 for bytes, of 1000 for bits.
var prefixes = map[string]float64{"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}

// parseBytes reads a number of bytes.
func parseBytes(number, prefix string) (float64, error) {
	return scaled(number, math.Pow(1024, prefixes[prefix]))
}

// parseSpeed reads a number of bits or Bytes per second, in B/s.
func parseSpeed(number, prefix, unit string) (float64, error) {
	if unit == "Bytes" {
		return parseBytes(number, prefix)
	}
	return scaled(number, math.Pow(1000, prefixes[prefix])/8)
}

func scaled(number string, scale float64) (float64, error) {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v*scale > greatest {
		return 0, fmt.Errorf("%.40s is not a valid measurement", number)
	}
	return v * scale, nil
}
