package table

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// phrase is the meaning of a header, a row name or a heading.
type phrase struct {
	measure  string // iops, bandwidth, latency, events, retransmits, or one of names
	stat     string // of a latency: mean, min, max, stddev, p99
	op       string // read, write, put, get, …
	order    string // rand, seq
	bs       string
	unit     string
	settings map[string]string
	count    int      // number of measures
	rest     []string // words not understood
	reads    bool     // both read and write were named
	mixed    bool     // reads and writes were one test
}

var (
	parenthesis = lazyregexp.New(`[()\[\]]`)
	bracketed   = lazyregexp.New(`\([^()]*\)|\[[^\[\]]*\]`)
	blockWord   = lazyregexp.New(`^(\d{1,4})([kKmM])(i?[bB])?$`)
	orderBlock  = lazyregexp.New(`^(seq|rnd|rand)(\d{1,4}[kKmM])$`)
	depthWord   = lazyregexp.New(`^(?:qd|iodepth|q)[=:]?(\d{1,4})(?:t(\d{1,3}))?$`)
	jobsWord    = lazyregexp.New(`^(?:numjobs|jobs)[=:](\d{1,4})$`)
	jobsOfDepth = lazyregexp.New(`\b(\d{1,4})j(?:obs?)? ?[x×] ?(\d{1,4})d\b`)
	mixWord     = lazyregexp.New(`^(?:mixed|mix|randrw|rw)$`)
	mixShares   = lazyregexp.New(`^(\d{1,2})r?[/:](\d{1,2})w?$`)
	countWord   = lazyregexp.New(`^\d{1,4}$`)
	sizeWord    = lazyregexp.New(`^(?:[kK](?:i?[bB])?|M(?:i?B)?)$`)
	percentWord = lazyregexp.New(`^(?:p(\d{2}(?:\.\d+)?)|(\d{2}(?:\.\d+)?)th)$`)
)

// names are the headers that name a metric by themselves.
var names = map[string]string{
	"media errors": "smart.media_errors", "available spare": "smart.available_spare", "spare": "smart.available_spare",
	"percentage used": "smart.percentage_used", "wear": "smart.percentage_used", "health": "smart.passed",
	"power-on hours": "smart.power_on_hours", "power on hours": "smart.power_on_hours", "unsafe shutdowns": "smart.unsafe_shutdowns",
	"temp": "smart.temperature", "temperature": "smart.temperature", "data written": "smart.data_written",
	"idle": "thermal.idle", "idle temp": "thermal.idle", "full load": "thermal.load", "load": "thermal.load", "load temp": "thermal.load",
	"delta": "thermal.rise", "rise": "thermal.rise", "scaling vs single": "cpu.scaling", "scaling": "cpu.scaling",
	"retransmits": "net.tcp.retransmits", "retr": "net.tcp.retransmits", "retries": "net.tcp.retransmits",
}

// plainWords are words that do not change what a figure means.
var plainWords = []string{"i/o", "io", "the", "of", "in", "a", "speed", "rate", "avg", "result", "results", "test", "per", "size",
	"queue", "value", "measured", "x", "×", "@", "-", "–", "—"}

// engineWords are fio's engines.
var engineWords = []string{"psync", "libaio", "io_uring", "posixaio", "pvsync2", "windowsaio"}

// toolWords name the tool of a figure.
var toolWords = []string{"fio", "sysbench", "iperf3", "iozone"}

// readPhrase reads the words of one header, row name or heading.
func readPhrase(text string) phrase {
	p := phrase{settings: map[string]string{}}
	if whole, ok := names[strings.ToLower(strings.TrimSpace(text))]; ok {
		p.measure, p.count = whole, 1
		return p
	}
	words := joined(strings.Fields(parenthesis.ReplaceAllString(jobsOfDepth.ReplaceAllString(text, "jobs=$1 qd=$2"), " ")))
	for i := range words {
		words[i] = strings.Trim(words[i], ",;:")
	}
	for len(words) > 0 {
		words = words[p.words(words):]
	}
	if p.measure == "latency" && p.unit == "" && slices.Equal(p.rest, []string{"s"}) {
		p.unit, p.rest = "s", nil // elsewhere (s) is a plural
	}
	if p.measure == "" && p.unit != "" {
		switch m, _ := unit(p.unit); m.base {
		case assay.BytesPerSecond:
			p.measure, p.count = "bandwidth", 1
		case assay.Seconds:
			if p.op != "" || p.stat != "" {
				p.measure, p.count = "latency", 1
			}
		}
	}
	return p
}

// joined splits the names of tests that consist of understood words: rand_read and
// seqwrite-1m-qd32.
func joined(words []string) []string {
	var all []string
	for _, word := range words {
		parts := strings.FieldsFunc(word, func(c rune) bool { return c == '_' || c == '-' })
		if len(parts) > 1 {
			if p := readPhrase(strings.Join(parts, " ")); p.whole() && p.doesIO() {
				all = append(all, parts...)
				continue
			}
		}
		all = append(all, word)
	}
	return all
}

// readTest reads what a row says was done. "Random read (latency)" names a test that
// may have other figures as well.
func readTest(text string) phrase {
	p := readPhrase(text)
	if p.measure != "" && p.unit == "" && bracketed.MatchString(text) && readPhrase(bracketed.ReplaceAllString(text, " ")).measure == "" {
		p.measure, p.count = "", 0
	}
	return p
}

// words reads the first word, or two that belong together, and returns how many it
// read.
func (p *phrase) words(words []string) int {
	first := words[0]
	if len(words) > 1 {
		low, next := strings.ToLower(first), strings.ToLower(words[1])
		switch {
		case countWord.MatchString(first) && sizeWord.MatchString(words[1]):
			p.word(first + words[1])
			return 2
		case countWord.MatchString(first) && (next == "job" || next == "jobs"):
			p.set("jobs", first)
			return 2
		case low == "single" && next == "job":
			p.set("jobs", "1")
			return 2
		case (low == "depth" || low == "qd" || low == "iodepth") && countWord.MatchString(words[1]):
			p.set("iodepth", words[1])
			return 2
		}
	}
	p.word(first)
	return 1
}

// set notes a setting. Of two different values neither counts.
func (p *phrase) set(key, value string) {
	if old, known := p.settings[key]; known && old != value {
		p.rest = append(p.rest, value)
		value = ""
	}
	p.settings[key] = value
}

func (p *phrase) word(word string) {
	low := strings.ToLower(word)
	switch low {
	case "":
	case "iops", "io/s", "ios/s", "ops/s":
		p.is("iops")
	case "kiops":
		p.is("iops")
		p.unit = "kIOPS"
	case "events/sec", "events/s":
		p.is("events")
	case "bandwidth", "throughput", "bw", "bitrate":
		p.is("bandwidth")
	case "latency", "lat", "clat":
		p.is("latency")
	case "mean", "average", "avg":
		p.stat = "mean"
	case "min", "max", "stddev":
		p.stat = low
	case "stdev":
		p.stat = "stddev"
	case "median":
		p.stat = "p50"
	case "read", "reads", "write", "writes":
		p.does(strings.TrimSuffix(low, "s"))
	case "r/w", "read/write":
		p.reads = true
	case "put", "get", "delete":
		p.op = low
	case "rand", "random", "rnd", "seq", "sequential":
		p.order = map[byte]string{'r': "rand", 's': "seq"}[low[0]]
	case "randread", "randwrite":
		p.order = "rand"
		p.does(strings.TrimPrefix(low, "rand"))
	case "seqread", "seqwrite":
		p.order = "seq"
		p.does(strings.TrimPrefix(low, "seq"))
	default:
		p.odd(word, low)
	}
}

// does notes the operation.
func (p *phrase) does(op string) {
	p.reads = p.reads || p.op != "" && p.op != op
	p.op = op
}

// sharesOfAll reports whether a word is a share of reads and one of writes: 70/30.
func sharesOfAll(word string) bool {
	m := mixShares.FindStringSubmatch(word)
	if m == nil {
		return false
	}
	reads, _ := strconv.Atoi(m[1])
	writes, _ := strconv.Atoi(m[2])
	return reads+writes == 100
}

// odd reads units and words made of a number and a letter.
func (p *phrase) odd(word, low string) {
	switch {
	case word == "R":
		p.does("read")
		return
	case word == "W":
		p.does("write")
		return
	case mixWord.MatchString(low) || sharesOfAll(low):
		p.mixed = true
		if low == "randrw" {
			p.order = "rand"
		}
		return
	case low == "tmpfs":
		p.set("fs", low)
		return
	case slices.Contains(engineWords, low):
		p.set("engine", low)
		return
	case low == "direct" || low == "o_direct" || low == "direct=1":
		p.set("direct", "1")
		return
	case low == "buffered" || low == "direct=0":
		p.set("direct", "0")
		return
	}
	if m := orderBlock.FindStringSubmatch(low); m != nil {
		p.word(m[1])
		word, low = m[2], m[2]
	}
	if m := blockWord.FindStringSubmatch(word); m != nil {
		bs := m[1] + strings.ToLower(m[2])
		if p.bs != "" && p.bs != bs {
			p.rest = append(p.rest, word)
		}
		p.bs = bs
		return
	}
	if m := depthWord.FindStringSubmatch(low); m != nil {
		p.set("iodepth", m[1])
		if m[2] != "" {
			p.set("jobs", m[2])
		}
		return
	}
	if m := jobsWord.FindStringSubmatch(low); m != nil {
		p.set("jobs", m[1])
		return
	}
	if m := percentWord.FindStringSubmatch(low); m != nil {
		p.stat = "p" + strings.ReplaceAll(m[1]+m[2], ".", "_")
		return
	}
	if u, ok := unit(word); ok && len(word) > 1 && (u.base == assay.BytesPerSecond || u.base == assay.Seconds || u.base == assay.Bytes) {
		if p.unit != "" {
			p.rest = append(p.rest, word)
		}
		p.unit = word
		return
	}
	if slices.Contains(toolWords, low) {
		p.settings["tool"] = low
		return
	}
	if !slices.Contains(plainWords, low) {
		p.rest = append(p.rest, word)
	}
}

func (p *phrase) is(measure string) {
	p.measure = measure
	p.count++
}

// of returns the measure p for what was done.
func (p phrase) of(done phrase) phrase {
	p.op, p.order, p.bs = cmp.Or(p.op, done.op), cmp.Or(p.order, done.order), cmp.Or(p.bs, done.bs)
	p.measure, p.stat, p.unit = cmp.Or(p.measure, done.measure), cmp.Or(p.stat, done.stat), cmp.Or(p.unit, done.unit)
	p.mixed = p.mixed || done.mixed
	p.reads = p.reads || done.reads && p.op == ""
	settings := maps.Clone(done.settings)
	maps.Copy(settings, p.settings)
	p.settings = settings
	return p
}

func (p phrase) measures() int { return p.count }

// whole reports whether every word was understood and none contradicts another.
func (p phrase) whole() bool {
	return len(p.rest) == 0 && p.count <= 1 && (!p.reads || p.mixed && p.op == "")
}

// nearlyWhole reports whether the words say what was done to storage, and something else.
func (p phrase) nearlyWhole() bool {
	return len(p.rest) > 0 && p.doesIO() && p.count == 0 && !p.reads
}

// any reports whether the words name something measurable.
func (p phrase) any() bool {
	return p.measure != "" || p.order != "" || p.mixed || p.op != "" && p.unit != ""
}

// says reports whether the words name anything that tells tests apart.
func (p phrase) says() bool { return p.any() || p.op != "" || p.bs != "" || len(p.settings) > 0 }

// doesIO reports whether the words name reads or writes of storage.
func (p phrase) doesIO() bool {
	return p.order != "" && (p.op == "read" || p.op == "write" || p.mixed)
}

// latency returns the end of a latency metric: latency.mean if unspecified,
// since tools call the mean just latency.
func (p phrase) latency() string { return "latency." + cmp.Or(p.stat, "mean") }
