package inventory

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"assay"
)

const (
	firstLine = "assay-facts 1"
	lastLine  = "end"
)

// capture is the output of facts.sh, sorted by section but not yet interpreted.
type capture struct {
	files    map[string][]string // lines by path
	links    map[string]string   // physical path by path
	lists    map[string][]string // names by directory
	seen     map[string]bool
	runs     map[string]ran
	dirs     [][]string // lines of each "dir" section, in order
	tools    []tool
	packager string
}

// ran is the output of one command, both streams together.
type ran struct {
	exit  int
	lines []string
}

// text returns the trimmed first line.
func (r ran) text() string {
	if len(r.lines) == 0 {
		return ""
	}
	return strings.TrimSpace(r.lines[0])
}

type tool struct {
	name, path string
	script     bool
}

// readCapture splits the output of facts.sh into its sections. It is an error
// if the output does not begin or end as the script's does.
func readCapture(raw []byte) (*capture, error) {
	text := strings.ReplaceAll(strings.ReplaceAll(string(raw), "\x00", ""), "\r\n", "\n")
	_, text, found := strings.Cut("\n"+text, "\n@@ "+firstLine+"\n") // a login banner may come first
	if !found {
		return nil, fmt.Errorf("no line %q: %w", "@@ "+firstLine, assay.ErrNoOutput)
	}
	c := &capture{
		files: map[string][]string{}, links: map[string]string{}, lists: map[string][]string{},
		seen: map[string]bool{}, runs: map[string]ran{},
	}
	ended := false
	put := func(string) {}
	for _, line := range strings.Split(text, "\n") {
		head, isHead := strings.CutPrefix(line, "@@ ")
		if isHead {
			put = c.section(head)
			ended = head == lastLine
			continue
		}
		if line != "" {
			put(line)
		}
	}
	if !ended {
		return nil, fmt.Errorf("truncated output: no line %q at its end", "@@ "+lastLine)
	}
	return c, nil
}

// section opens a section and returns the handler for its lines. Unknown
// sections, of a later script, are skipped.
func (c *capture) section(head string) func(line string) {
	name, arg, _ := strings.Cut(head, " ")
	switch name {
	case "file":
		c.files[arg] = nil
		return func(line string) { c.files[arg] = append(c.files[arg], line[1:]) }
	case "files":
		return func(line string) {
			if file, content, ok := strings.Cut(line, ":"); ok {
				p := arg + "/" + file
				c.files[p] = append(c.files[p], content)
			}
		}
	case "link":
		if from, to, ok := strings.Cut(arg, " "); ok {
			c.links[from] = to
		}
	case "list":
		c.lists[arg] = nil
		return func(line string) { c.lists[arg] = append(c.lists[arg], line[1:]) }
	case "seen":
		c.seen[arg] = true
	case "run":
		what, code, _ := strings.Cut(arg, " ")
		exit, err := strconv.Atoi(code)
		if err != nil {
			exit = 1
		}
		c.runs[what] = ran{exit: exit}
		return func(line string) {
			r := c.runs[what]
			r.lines = append(r.lines, line[1:])
			c.runs[what] = r
		}
	case "dir":
		c.dirs = append(c.dirs, nil)
		last := len(c.dirs) - 1
		return func(line string) { c.dirs[last] = append(c.dirs[last], line[1:]) }
	case "tool":
		c.tools = append(c.tools, tool{name: arg})
		last := len(c.tools) - 1
		return func(line string) {
			if c.tools[last].path == "" {
				c.tools[last].path = line[1:]
			} else if line == " script" {
				c.tools[last].script = true
			}
		}
	case "packager":
		c.packager = arg
	}
	return func(string) {}
}

// word returns the first line of a file, trimmed; "" if there is none.
func (c *capture) word(path string) string {
	if lines := c.files[path]; len(lines) > 0 {
		return strings.TrimSpace(lines[0])
	}
	return ""
}

// number returns a file's first line as a whole number.
func (c *capture) number(path string) (int64, bool) {
	n, err := strconv.ParseInt(c.word(path), 10, 64)
	return n, err == nil
}

// fields returns the lines "key<sep>value" of a file as a map; the last one wins.
func (c *capture) fields(path, sep string) map[string]string {
	return fieldsOf(c.files[path], sep)
}

func fieldsOf(lines []string, sep string) map[string]string {
	out := map[string]string{}
	for _, line := range lines {
		if k, v, ok := strings.Cut(line, sep); ok {
			out[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	return out
}

// under returns the names directly under a directory in any path, in natural
// order: cpu2 before cpu10.
func (c *capture) under(dir string) []string {
	found := map[string]bool{}
	note := func(p string) {
		if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
			name, _, _ := strings.Cut(rest, "/")
			found[name] = true
		}
	}
	for p := range c.files {
		note(p)
	}
	for p := range c.links {
		note(p)
	}
	out := make([]string, 0, len(found))
	for name := range found {
		out = append(out, name)
	}
	sortNatural(out)
	return out
}

// sortNatural sorts names so that numbers in them compare by value.
func sortNatural(names []string) {
	sort.Slice(names, func(i, j int) bool { return naturalLess(names[i], names[j]) })
}

func naturalLess(a, b string) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if isDigit(a[i]) && isDigit(b[i]) {
			x, y := digits(a[i:]), digits(b[i:])
			if x != y {
				p, q := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
				if len(p) != len(q) {
					return len(p) < len(q)
				}
				if p != q {
					return p < q
				}
				return len(x) < len(y)
			}
			i += len(x) - 1
			continue
		}
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return len(a) < len(b)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// digits returns the leading digits of s.
func digits(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n]
}

// leading parses the whole number at the start of a text: "4 bits"; 0 if there
// is none.
func leading(text string) int {
	n, err := strconv.Atoi(digits(text))
	if err != nil || n > 1<<20 {
		return 0
	}
	return n
}
