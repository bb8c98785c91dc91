package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// screen is as much of a terminal as progress needs: it wraps, scrolls, moves
// the cursor up and erases. Anything else is an error.
type screen struct {
	t              *testing.T
	columns, lines int
	cells          [][]rune
	above          []string // scrolled away
	row, column    int
}

func newScreen(t *testing.T, columns, lines int) *screen {
	s := &screen{t: t, columns: columns, lines: lines}
	for range lines {
		s.cells = append(s.cells, nil)
	}
	return s
}

func (s *screen) size() (columns, lines int) { return s.columns, s.lines }

func (s *screen) Write(p []byte) (int, error) {
	for text := string(p); text != ""; {
		if rest, found := strings.CutPrefix(text, "\x1b["); found {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' })
			s.control(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch r {
		case '\n': // the terminal driver makes it \r\n
			s.column = 0
			s.down()
		case '\r':
			s.column = 0
		default:
			s.put(r)
		}
	}
	return len(p), nil
}

func (s *screen) control(arg string, what byte) {
	n, _ := strconv.Atoi(arg)
	switch what {
	case 'A':
		s.row = max(s.row-max(n, 1), 0)
	case 'K':
		s.cells[s.row] = s.cells[s.row][:min(s.column, len(s.cells[s.row]))]
	case 'J':
		s.control("", 'K')
		for i := s.row + 1; i < s.lines; i++ {
			s.cells[i] = nil
		}
	case 'm':
	default:
		s.t.Fatalf("the screen does not know %q", fmt.Sprintf("\x1b[%s%c", arg, what))
	}
}

func (s *screen) down() {
	if s.row++; s.row == s.lines {
		s.row--
		s.above = append(s.above, string(s.cells[0]))
		s.cells = append(s.cells[1:], nil)
	}
}

func (s *screen) put(r rune) {
	if s.column == s.columns {
		s.column = 0
		s.down()
	}
	line := s.cells[s.row]
	for len(line) <= s.column {
		line = append(line, ' ')
	}
	line[s.column] = r
	s.cells[s.row] = line
	s.column++
}

// narrow makes the screen narrower, like terminals that rewrap their lines.
func (s *screen) narrow(columns int) {
	old := s.cells[:s.row]
	s.columns, s.row, s.column = columns, 0, 0
	s.cells = make([][]rune, s.lines)
	for _, line := range old {
		for _, r := range line {
			s.put(r)
		}
		s.column = 0
		s.down()
	}
}

// text returns everything written and not erased, including what scrolled away.
func (s *screen) text() string {
	all := append([]string{}, s.above...)
	for _, line := range s.cells {
		all = append(all, string(line))
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n ")
}
