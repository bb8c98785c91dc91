package block

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"assay/internal/jsonlists"
)

// Number is a float that may be NaN or infinite: JSON has null for it.
type Number float64

// Is reports whether n is a finite number.
func (n Number) Is() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// MarshalJSON is like that of a float64, but never fails.
func (n Number) MarshalJSON() ([]byte, error) { return n.appendJSON(nil), nil }

// appendJSON writes a number as encoding/json does.
func (n Number) appendJSON(to []byte) []byte {
	if !n.Is() {
		return append(to, "null"...)
	}
	if abs := math.Abs(float64(n)); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, _ := json.Marshal(float64(n)) // it fails only for non-finite numbers
		return append(to, text...)
	}
	return strconv.AppendFloat(to, float64(n), 'f', -1, 64)
}

// MarshalJSON writes all points at once, since a line may have a hundred thousand.
func (ps Points) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 24*len(ps)+2), '[')
	for i, p := range ps {
		if i > 0 {
			out = append(out, ',')
		}
		out = p[0].appendJSON(append(out, '['))
		out = append(p[1].appendJSON(append(out, ',')), ']')
	}
	return append(out, ']'), nil
}

// String returns as many digits as the number needs.
func (n Number) String() string {
	if !n.Is() {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}

// Numbers converts floats to Numbers.
func Numbers(floats []float64) []Number {
	var all []Number
	for _, v := range floats {
		all = append(all, Number(v))
	}
	return all
}

// Blocks are blocks in order.
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

// marshal is json.Marshal, but leaves < and & readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
