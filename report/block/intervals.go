package block

// Intervals are values with their intervals on one logarithmic axis, next to a
// reference value: a forest plot.
type Intervals struct {
	Title  string     `json:"title,omitempty"`
	One    float64    `json:"one"`              // what they are held against
	Margin float64    `json:"margin,omitempty"` // how far from it is as good as the same: .03
	Rows   []Interval `json:"rows"`
	Told   bool       `json:"told,omitempty"` // a table has the numbers: what cannot draw leaves it out
}

// Interval is one of them.
type Interval struct {
	Group string `json:"group,omitempty"`
	Title string `json:"title"`
	Under string `json:"under,omitempty"`
	Key   string `json:"key,omitempty"` // which of several of one title
	Is    Kind   `json:"is,omitempty"`
	Word  string `json:"word,omitempty"`
	Text  string `json:"text,omitempty"`
	At    Number `json:"at"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
}

// Kind names the block.
func (Intervals) Kind() string { return "intervals" }
