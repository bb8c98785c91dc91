package block

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"assay/internal/jsonlists"
)

// Number is a float that may be no number: JSON has null for it.
type Number float64

// Is reports whether the number is one.
func (n Number) Is() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON is as of a float64, but never fails.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Is() {
		return []byte("null"), nil
	}
	if abs := math.Abs(float64(n)); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return json.Marshal(float64(n))
	}
	return strconv.AppendFloat(nil, float64(n), 'f', -1, 64), nil // as json.Marshal does, without asking what it is
}

// String has as many digits as the number needs.
func (n Number) String() string {
	if !n.Is() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}

// Numbers are floats as Numbers.
func Numbers(floats []float64) []Number {
	var all []Number
	for _, v := range floats {
		all = append(all, Number(v))
	}
	return all
}

// Blocks are blocks in their order.
type Blocks []Block

// MarshalJSON writes each block with the name of its kind in "block".
func (bs Blocks) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, b := range bs {
		text, err := marshal(jsonlists.NeverNull(b))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"block":`+strconv.Quote(b.Kind())...)
		if len(text) > len("{}") {
			out = append(out, ',')
		}
		out = append(out, text[1:]...)
	}
	return append(out, ']'), nil
}

// marshal is json.Marshal that leaves < and & readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
