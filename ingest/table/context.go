package table

import (
	"strings"

	"assay/internal/lazyregexp"
)

// context is what stands above a table: its headings, the line right above it,
// and the last fio command.
type context struct {
	headings []string // by level, the nearest last
	prose    string   // the last non-blank line, with its markup
	command  []string // the words of the last fio command
	open     bool     // command continues
	since    int      // lines since the command
}

// commandReach is the most lines of text allowed between a command and the
// table of its results.
const commandReach = 12

func (c *context) copied() context {
	d := *c
	d.headings = append([]string(nil), c.headings...)
	return d
}

func (c *context) read(line string) {
	text := strings.TrimSpace(line)
	if strings.HasPrefix(text, "<") {
		text = ofWebPage(text)
	}
	if text == "" {
		return
	}
	c.since++
	if level := len(text) - len(strings.TrimLeft(text, "#")); level > 0 && level < 7 && strings.HasPrefix(text[level:], " ") {
		c.headings = append(c.headings[:min(level-1, len(c.headings))], pad(level-1-len(c.headings))...)
		c.headings = append(c.headings, clean(text[level:]))
		c.prose, c.command, c.open = "", nil, false
		return
	}
	words := strings.Fields(strings.TrimSuffix(strings.TrimLeft(text, "$#> "), "\\"))
	switch {
	case len(words) > 2 && words[0] == "fio" && strings.HasPrefix(words[1], "--"):
		c.command, c.open, c.since = words, true, 0
		return
	case c.open && len(words) > 0 && strings.HasPrefix(words[0], "--"):
		c.command = append(c.command, words...)
		return
	}
	c.open = false
	if !strings.HasPrefix(text, "```") {
		c.prose = text
	}
}

var (
	webHeading = lazyregexp.New(`(?i)^<h([1-6])\b[^<>]{0,300}>`)
	webTag     = lazyregexp.New(`</?[A-Za-z!][^<>]{0,300}>`)
)

// ofWebPage is a line of HTML as Markdown has it: a heading, or its text alone.
func ofWebPage(line string) string {
	text := strings.TrimSpace(webTag.ReplaceAllString(line, ""))
	if m := webHeading.FindStringSubmatch(line); m != nil && text != "" {
		return strings.Repeat("#", int(m[1][0]-'0')) + " " + text
	}
	return text
}

func pad(n int) []string { return make([]string, max(0, n)) }

// near are the caption and the headings, the nearest first.
func (c context) near() []string {
	var all []string
	if prose := clean(c.prose); prose != "" {
		all = append(all, prose)
	}
	for i := len(c.headings) - 1; i >= 0; i-- {
		if c.headings[i] != "" {
			all = append(all, c.headings[i])
		}
	}
	return all
}

// closest are the caption, and the heading right above it.
func (c context) closest() []string {
	all := c.near()
	if clean(c.prose) == "" {
		return all[:min(1, len(all))]
	}
	return all[:min(2, len(all))]
}

var (
	storageWord = lazyregexp.New(`(?i)\b(fio|disks?|nvme|ssds?|hdds?|storage|drives?|iops|sd cards?|emmc|usb stick)\b`)
	memoryWord  = lazyregexp.New(`(?i)\b(memory|ram|dram)\b`)
	cpuWord     = lazyregexp.New(`(?i)\b(cpu|sysbench|prime)\b`)
	networkWord = lazyregexp.New(`(?i)\b(iperf3?|network|ethernet|[0-9]+gbe|tcp)\b`)
	udpWord     = lazyregexp.New(`(?i)\budp\b`)
	toolWord    = lazyregexp.New(`(?i)\b(fio|sysbench|iperf3|smartctl)\b`)
	oneThread   = lazyregexp.New(`(?i)\bsingle[- ]thread`)
	someThreads = lazyregexp.New(`(?i)\b(\d{1,3}) threads\b`)
	perTest     = lazyregexp.New(`(?i)\b(\d{1,5}) ?(?:s|sec|seconds) per test\b`)
	perSize     = lazyregexp.New(`(?i)\b(\d{1,7}) (?:iterations|requests|samples) per (?:object )?(?:size|test)\b`)
)

// family is what a table is about: storage, memory, cpu or network, by the
// nearest line above it that names one of them alone; "" where none does.
func (c context) family() string {
	for _, line := range c.near() {
		var said []string
		for _, f := range []struct {
			word *lazyregexp.Regexp
			name string
		}{{storageWord, "storage"}, {memoryWord, "memory"}, {cpuWord, "cpu"}, {networkWord, "net"}} {
			if f.word.MatchString(line) {
				said = append(said, f.name)
			}
		}
		if len(said) == 2 && said[0] == "memory" && said[1] == "cpu" {
			return "memory" // sysbench measures both
		}
		if len(said) == 1 {
			return said[0]
		}
		if len(said) > 1 {
			return ""
		}
	}
	return ""
}

// tool is the program that the lines above name; "" where they name none, or
// several.
func (c context) tool() string {
	for _, line := range c.near() {
		all := map[string]bool{}
		for _, m := range toolWord.FindAllString(line, -1) {
			all[strings.ToLower(m)] = true
		}
		if len(all) > 1 {
			return ""
		}
		for name := range all {
			return strings.Replace(name, "smartctl", "smart", 1)
		}
	}
	return ""
}

// settings are those that the caption, the heading right above and the command
// say in plain words. What two of them say differently is not said.
func (c context) settings() map[string]string {
	all := map[string]string{}
	for _, line := range c.closest() {
		p := readPhrase(line)
		for k, v := range p.settings {
			if k != "tool" { // what it measures is asked first
				all[k] = v
			}
		}
		if m := perTest.FindStringSubmatch(line); m != nil {
			all["runtime"] = m[1]
		}
		if m := perSize.FindStringSubmatch(line); m != nil {
			all["requests"] = m[1]
		}
		switch m := someThreads.FindStringSubmatch(line); {
		case m != nil:
			all["threads"] = m[1]
		case oneThread.MatchString(line):
			all["threads"] = "1"
		}
	}
	return all
}

// fioWords are the options of a fio command that are settings here.
var fioWords = map[string]string{
	"bs": "bs", "iodepth": "iodepth", "numjobs": "jobs", "ioengine": "engine", "direct": "direct", "sync": "sync",
	"runtime": "runtime", "size": "size", "rw": "pattern", "readwrite": "pattern", "filename": "file",
}

// commanded are the settings of the fio command above; nil where there is none
// near, or where it stands for several, as in --rw=<read|write>.
func (c context) commanded() map[string]string {
	if c.command == nil || c.since > commandReach {
		return nil
	}
	all := map[string]string{"tool": "fio"}
	for _, w := range c.command[1:] {
		name, v, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
		if strings.ContainsAny(v, "<>|") {
			return nil
		}
		if key := fioWords[name]; key != "" && v != "" {
			all[key] = strings.ToLower(v)
		}
	}
	if all["file"] != "" {
		for _, w := range c.command {
			if v, ok := strings.CutPrefix(w, "--filename="); ok {
				all["file"] = v
			}
		}
	}
	return all
}
