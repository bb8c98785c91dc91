// Package needles finds which of many fixed strings a text contains, in one pass over
// the text however many strings there are (Aho and Corasick, 1975).
package needles

// Set is a set of strings to look for. It is read-only once built.
type Set struct {
	class  [256]uint8 // of each byte; 0 for bytes in no needle
	width  int
	next   []uint16  // next state, by state and class
	finds  [][]int32 // the needles that end in a state
	ending []bool    // finds is not empty
}

// New returns the set of these needles. An empty needle is never found.
func New(all []string) *Set {
	s := &Set{width: 1}
	for _, n := range all {
		for i := range len(n) {
			if s.class[n[i]] == 0 {
				s.class[n[i]] = uint8(s.width)
				s.width++
			}
		}
	}
	s.grow()
	for at, n := range all {
		state := 0
		for i := range len(n) {
			slot := state*s.width + int(s.class[n[i]])
			if s.next[slot] == 0 {
				s.next[slot] = uint16(s.grow())
			}
			state = int(s.next[slot])
		}
		if state != 0 {
			s.finds[state] = append(s.finds[state], int32(at))
		}
	}
	s.link()
	return s
}

// most is how many states a Set can tell apart.
const most = 1 << 16

// grow adds a state. It panics rather than mistake one needle for another.
func (s *Set) grow() int {
	if len(s.finds) == most {
		panic("needles: the needles need more states than 16 bits can number")
	}
	s.next = append(s.next, make([]uint16, s.width)...)
	s.finds = append(s.finds, nil)
	return len(s.finds) - 1
}

// link turns the tree of needles into an automaton: where a needle breaks off,
// matching continues in the longest suffix that begins another.
func (s *Set) link() {
	fall := make([]uint16, len(s.finds))
	var queue []int
	for c := range s.width {
		if to := s.next[c]; to != 0 {
			queue = append(queue, int(to))
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		s.finds[state] = append(s.finds[state], s.finds[fall[state]]...)
		for c := range s.width {
			slot := state*s.width + c
			other := s.next[int(fall[state])*s.width+c]
			if to := s.next[slot]; to != 0 {
				fall[to] = other
				queue = append(queue, int(to))
			} else {
				s.next[slot] = other
			}
		}
	}
	s.ending = make([]bool, len(s.finds))
	for i, f := range s.finds {
		s.ending[i] = len(f) > 0
	}
}

// In appends to found the index of each needle that text contains, in the order in
// which they end there, once per occurrence.
func (s *Set) In(text []byte, found []int32) []int32 {
	state, width := 0, s.width
	for _, b := range text {
		state = int(s.next[state*width+int(s.class[b])])
		if s.ending[state] {
			found = append(found, s.finds[state]...)
		}
	}
	return found
}
