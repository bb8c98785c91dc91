package remote

import (
	"bytes"
	"sync"
)

// NoiseLimit is how many bytes a login shell may print before the command
// begins.
const NoiseLimit = 1 << 20

// Stream is the stdout or stderr of one session. The command's own bytes lie
// between two lines of far.sh; output of login shells, banners and the
// transport lies outside them.
type Stream struct {
	begin, fed, end []byte // far.sh's line prefixes
	limit           int    // how much the command may print, in bytes

	mu    sync.Mutex
	noise []byte // before the command
	text  []byte // of the command
	tail  string // the last line, without its prefix

	Hello  chan struct{} // closed when the far sh is reading
	eaten  chan struct{} // closed when it has all of the command's stdin
	begun  chan struct{} // closed when the command begins
	ended  chan struct{} // closed when it and its leftovers are dead
	Excess chan struct{} // closed when the output exceeds the limit

	// heed, if set, is shown the command's own bytes in whole lines; the first
	// true closes enough.
	heed   func(piece []byte) bool
	heeded int // bytes of text shown to heed
	looked int // bytes of text after those, known to hold no line end
	enough chan struct{}
}

// NewStream returns the stream of a command with that key, which may print limit bytes.
func NewStream(key string, limit int) *Stream {
	return &Stream{
		limit: limit,
		begin: []byte(key + " begin\n"), fed: []byte(key + " fed\n"), end: []byte(key + " end "),
		Hello: make(chan struct{}), eaten: make(chan struct{}), begun: make(chan struct{}),
		ended: make(chan struct{}), Excess: make(chan struct{}), enough: make(chan struct{}),
	}
}

// Write sorts p into noise and output. It never fails: bytes after the end are
// dropped.
func (s *Stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case Closed(s.ended), Closed(s.Excess):
	case Closed(s.begun):
		s.during(p)
	default:
		s.before(p)
	}
	s.show()
	return len(p), nil
}

// attend sets heed, which is shown the command's output; nil for none.
func (s *Stream) attend(heed func(piece []byte) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heed = heed
}

// show passes new output on in whole lines: what follows the last one may be
// the start of a line of far.sh.
func (s *Stream) show() {
	if s.heed == nil || Closed(s.enough) || s.heeded > len(s.text) {
		return
	}
	fresh := s.text[s.heeded:]
	if !Closed(s.ended) {
		// Don't search bytes twice, however long a line is.
		last := bytes.LastIndexByte(fresh[min(s.looked, len(fresh)):], '\n')
		if last < 0 {
			s.looked = len(fresh)
			return
		}
		fresh = fresh[:s.looked+last+1]
	}
	if len(fresh) == 0 {
		return
	}
	s.heeded, s.looked = s.heeded+len(fresh), 0
	if s.heed(fresh) {
		close(s.enough)
	}
}

func (s *Stream) before(p []byte) {
	// A marker that ends in the new bytes begins at most its own length before
	// them.
	from := max(0, len(s.noise)-max(len(HelloLine), len(s.begin), len(s.fed)))
	s.noise = append(s.noise, p...)
	if !Closed(s.Hello) && bytes.Contains(s.noise[from:], []byte(HelloLine)) {
		close(s.Hello)
	}
	if !Closed(s.eaten) && bytes.Contains(s.noise[from:], s.fed) {
		close(s.eaten)
	}
	if at := bytes.Index(s.noise[from:], s.begin); at >= 0 {
		close(s.begun)
		text := s.noise[from+at+len(s.begin):]
		s.noise = s.noise[: from+at : from+at]
		s.during(text)
		return
	}
	if len(s.noise) > NoiseLimit {
		close(s.Excess)
	}
}

func (s *Stream) during(p []byte) {
	from := max(0, len(s.text)-tailLimit)
	s.text = append(s.text, p...)
	if at := bytes.Index(s.text[from:], s.end); at >= 0 {
		last := s.text[from+at:]
		if stop := bytes.IndexByte(last, '\n'); stop >= 0 {
			s.tail = string(last[len(s.end):stop])
			s.text = s.text[:from+at]
			close(s.ended)
		}
	}
	if len(s.text) > s.limit+tailLimit || Closed(s.ended) && len(s.text) > s.limit {
		s.text = s.text[:s.limit]
		close(s.Excess)
	}
}

// tailLimit is longer than far.sh's last line.
const tailLimit = 256

// Output returns what the command printed.
func (s *Stream) Output() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text
}

// Words returns what was printed before the command, or instead of it.
func (s *Stream) Words() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.noise)
}

func (s *Stream) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tail
}

// Closed reports whether c is closed.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
