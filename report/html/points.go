package html

import (
	"math"
	"strconv"
)

// points are written with five significant digits: a plot shows no more.
type points [][2]float64

func (ps points) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 20*len(ps)+2), '[')
	for i, p := range ps {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		// Times keep their milliseconds even in a run of hours.
		out = strconv.AppendFloat(out, math.Round(p[0]*1e5)/1e5, 'f', -1, 64)
		out = append(out, ',')
		out = strconv.AppendFloat(out, p[1], 'g', 5, 64)
		out = append(out, ']')
	}
	return append(out, ']'), nil
}
