package block

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// Points are encoded at once, just as encoding/json encodes them singly.
func TestPointsAreAsEncodingJSONWritesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		floats := rapid.SliceOf(rapid.Float64()).Draw(t, "floats")
		points, plain := Points{}, [][2]float64{}
		for _, v := range floats {
			if Number(v).Is() {
				points, plain = append(points, Point{Number(v), Number(-v)}), append(plain, [2]float64{v, -v})
			}
		}
		got, err := json.Marshal(points)
		want, _ := json.Marshal(plain)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s (%v), want %s", got, err, want)
		}
	})
}
