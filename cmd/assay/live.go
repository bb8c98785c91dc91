package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	xterm "golang.org/x/term"

	"assay/internal/oneline"
	"assay/report/term"
	"assay/run/session"
)

// live shows a run on a terminal: hosts by cases for several hosts, one line for
// a single host. It is redrawn in place; what is worth keeping scrolls away
// above it.
type live struct {
	*lines
	size  func() (columns, lines int) // asked at every drawing
	color bool

	drawn   []int // columns of the lines on the screen
	changed chan struct{}
	over    chan struct{}
	stopped chan struct{}
}

// calm is the minimum time between two drawings: events come in bursts.
const calm = 100 * time.Millisecond

func (v *live) begin() {
	v.lines.begin()
	v.draw()
}

func (v *live) tell(e session.Progress) {
	columns, _ := v.size()
	var above []string
	for _, text := range v.alarms(e) {
		above = append(above, strings.Join(term.Wrap(text, columns-3), "\n  "))
	}
	if !v.tally.many() {
		for _, text := range v.results(e) { // the one line has no room for figures
			above = append(above, oneline.Keep(text, ' '))
		}
	}
	if len(above) > 0 {
		v.drawBelow(above)
	}
	select {
	case v.changed <- struct{}{}:
	default: // it will be drawn anyway
	}
}

func (v *live) end() {
	fmt.Fprint(v.w.to, v.home()+"\x1b[J")
	v.drawn = nil
}

// keepDrawing redraws after each event, and once a second so that the remaining
// time counts down, until stopDrawing.
func (v *live) keepDrawing(mu *sync.Mutex) {
	v.changed, v.over, v.stopped = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(v.stopped)
		second := time.NewTicker(time.Second)
		defer second.Stop()
		for {
			select {
			case <-v.over:
				return
			case <-second.C:
			case <-v.changed:
				select {
				case <-v.over:
					return
				case <-time.After(calm):
				}
			}
			mu.Lock()
			v.draw()
			mu.Unlock()
		}
	}()
}

func (v *live) stopDrawing() {
	close(v.over)
	<-v.stopped
}

func (v *live) draw() { v.drawBelow(nil) }

// drawBelow writes permanent lines, and draws the picture under them. The cursor
// stays on the line below, so that the user's typing spoils nothing.
func (v *live) drawBelow(stay []string) {
	columns, lines := v.size()
	var b strings.Builder
	b.WriteString(v.home())
	put := func(text string) { b.WriteString(strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[K\n") }
	for _, line := range stay {
		put(line)
	}
	v.drawn = v.drawn[:0]
	for _, line := range v.tally.board(time.Now()).Lines(columns-1, lines-1, v.color) {
		v.drawn = append(v.drawn, term.Width(line))
		put(line)
	}
	b.WriteString("\x1b[J")
	_, _ = io.WriteString(v.w.to, b.String()) // one write prevents flicker
}

// home moves the cursor to the start of the picture. Terminals that became
// narrower have wrapped its lines.
func (v *live) home() string {
	columns, _ := v.size()
	up := 0
	for _, w := range v.drawn {
		up += max((w+columns-1)/columns, 1)
	}
	if up == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", up)
}

// sizeOf returns a function for the size of w; 80 columns and 24 lines if
// unknown.
func sizeOf(w io.Writer) func() (columns, lines int) {
	return func() (int, int) {
		f, ok := w.(*os.File)
		if !ok {
			return 80, 24
		}
		columns, lines, err := xterm.GetSize(int(f.Fd()))
		if err != nil || columns <= 0 || lines <= 0 {
			return 80, 24
		}
		return max(columns, 11), max(lines, 2)
	}
}
