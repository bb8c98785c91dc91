package block

// Plot is lines over an axis. A voice that cannot draw leaves it out if tables
// have the numbers (Told), or else states them.
type Plot struct {
	Title string `json:"title,omitempty"`
	Aside string `json:"aside,omitempty"`
	X     Axis   `json:"x"`
	Y     Axis   `json:"y"`
	Lines []Line `json:"lines"`
	Told  bool   `json:"told,omitempty"`
	// Numbers are the lines' values at the most telling points, for readers of a
	// picture who want exact figures. Voices that cannot draw leave them out too.
	Numbers *Table `json:"numbers,omitempty"`
}

// Axis is what an axis shows and how.
type Axis struct {
	Name  string `json:"name,omitempty"`
	Unit  string `json:"unit,omitempty"`  // base unit
	Scale Scale  `json:"scale,omitempty"` // linear where it is empty
}

// Scale is how values are spread along an axis.
type Scale string

// The scales.
const (
	Linear Scale = ""
	Log    Scale = "log"   // each step is ten times larger
	Nines  Scale = "nines" // percentiles: each step is ten times rarer
	Counts Scale = "counts"
)

// Line is points that belong together, ordered by x.
type Line struct {
	Title  string `json:"title"`
	Words  string `json:"-"` // what a reader would take from it: "p50 1.2 ms, p99 3.4 ms"
	Points Points `json:"points"`
	Count  int64  `json:"count,omitempty"`  // how much it rests on: operations
	Dashed bool   `json:"dashed,omitempty"` // beside the point: a reference
	Steps  bool   `json:"steps,omitempty"`
	// Breaks are the indices of points that begin another level.
	Breaks []int `json:"breaks,omitempty"`
	// Between is the interval of each point, from low to high; not numbers if a
	// point has none. It is nil if no point has one.
	Between []Point `json:"between,omitempty"`
}

// Point is x and y.
type Point [2]Number

// Points are points in order.
type Points []Point

// Timeline is quantities over the time of a run, in seconds.
type Timeline struct {
	Title  string   `json:"title"`
	Aside  string   `json:"aside,omitempty"`
	Series []Series `json:"series"`
	Spans  []Span   `json:"spans,omitempty"`  // what happened when, to all series
	Joined bool     `json:"joined,omitempty"` // the spans stand end to end: what lay between is left out
}

// Series is one quantity.
type Series struct {
	Title  string `json:"title,omitempty"`
	Unit   string `json:"unit,omitempty"`
	Points Points `json:"points"`
	Spans  []Span `json:"spans,omitempty"` // that it was measured in, where they are its own
	Range  string `json:"-"`               // from where to where, in words
	Aside  string `json:"-"`               // what it rests on: "6 repeats after 1 warm-up"
}

// Span is a period of time.
type Span struct {
	From   Number `json:"from"` // s since the run began
	To     Number `json:"to"`
	Title  string `json:"title,omitempty"`
	Warmup bool   `json:"warmup,omitempty"` // not counted
}
