package block

// Lanes shows what happened to several things over the same time: a time line.
type Lanes struct {
	Title string `json:"title,omitempty"`
	From  Number `json:"from"` // s
	To    Number `json:"to"`
	Lanes []Lane `json:"lanes"`
}

// Lane is one of the things.
type Lane struct {
	Title     string    `json:"title"`
	Words     string    `json:"words,omitempty"` // what a reader would take from it
	Stretches []Stretch `json:"stretches"`       // in their order
	Marks     []Mark    `json:"marks,omitempty"`
}

// Stretch is a period in which the state was the same.
type Stretch struct {
	From Number `json:"from"` // s
	To   Number `json:"to"`
	Is   Kind   `json:"is,omitempty"`
	Text string `json:"text,omitempty"`
}

// Mark is a moment.
type Mark struct {
	At   Number `json:"at"` // s
	Text string `json:"text,omitempty"`
}

// Kind names the block.
func (Lanes) Kind() string { return "lanes" }

// Ends returns where a stretch begins and ends, as shares of the time of all lanes; ok is
// false if that cannot be drawn.
func (l Lanes) Ends(s Stretch) (from, to float64, ok bool) {
	from, fromIs := l.Share(s.From)
	to, toIs := l.Share(s.To)
	return from, to, fromIs && toIs && to >= from
}

// Share returns where a moment lies, from 0 to 1, or false if that cannot be
// drawn.
func (l Lanes) Share(at Number) (float64, bool) {
	whole := l.To - l.From
	if !whole.Is() || !(whole > 0) || !at.Is() {
		return 0, false
	}
	return min(max(float64((at-l.From)/whole), 0), 1), true
}
