package table

import (
	"cmp"
	"maps"
	"slices"
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
}

var (
	parenthesis = lazyregexp.New(`[()\[\]]`)
	blockWord   = lazyregexp.New(`^(\d{1,4})([kKmM])(i?[bB])?$`)
	depthWord   = lazyregexp.New(`^(?:qd|iodepth|q)[=:]?(\d{1,4})(?:t(\d{1,3}))?$`)
	jobsWord    = lazyregexp.New(`^(?:numjobs|jobs)[=:](\d{1,4})$`)
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
var plainWords = []string{"i/o", "io", "the", "of", "in", "a", "speed", "rate", "avg", "result", "results", "test", "per", "size"}

// toolWords name the tool of a figure.
var toolWords = []string{"fio", "sysbench", "iperf3", "iozone"}

// readPhrase reads the words of one header, row name or heading.
func readPhrase(text string) phrase {
	p := phrase{settings: map[string]string{}}
	if whole, ok := names[strings.ToLower(strings.TrimSpace(text))]; ok {
		p.measure, p.count = whole, 1
		return p
	}
	for _, word := range strings.Fields(parenthesis.ReplaceAllString(text, " ")) {
		p.word(strings.Trim(word, ",;:"))
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
	case "latency", "lat":
		p.is("latency")
	case "mean", "average", "avg":
		p.stat = "mean"
	case "min", "max", "stddev":
		p.stat = low
	case "stdev":
		p.stat = "stddev"
	case "read", "reads", "write", "writes":
		op := strings.TrimSuffix(low, "s")
		p.reads = p.reads || p.op != "" && p.op != op
		p.op = op
	case "put", "get", "delete":
		p.op = low
	case "rand", "random", "seq", "sequential":
		p.order = map[byte]string{'r': "rand", 's': "seq"}[low[0]]
	case "randread", "randwrite":
		p.order, p.op = "rand", strings.TrimPrefix(low, "rand")
	default:
		p.odd(word, low)
	}
}

// odd reads units and words made of a number and a letter.
func (p *phrase) odd(word, low string) {
	if m := blockWord.FindStringSubmatch(word); m != nil {
		bs := m[1] + strings.ToLower(m[2])
		if p.bs != "" && p.bs != bs {
			p.rest = append(p.rest, word)
		}
		p.bs = bs
		return
	}
	if m := depthWord.FindStringSubmatch(low); m != nil {
		p.settings["iodepth"] = m[1]
		if m[2] != "" {
			p.settings["jobs"] = m[2]
		}
		return
	}
	if m := jobsWord.FindStringSubmatch(low); m != nil {
		p.settings["jobs"] = m[1]
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
	p.op, p.order, p.bs = done.op, cmp.Or(p.order, done.order), cmp.Or(p.bs, done.bs)
	settings := maps.Clone(done.settings)
	maps.Copy(settings, p.settings)
	p.settings = settings
	return p
}

func (p phrase) measures() int { return p.count }

// whole reports whether every word was understood and none contradicts another.
func (p phrase) whole() bool { return len(p.rest) == 0 && p.count <= 1 && !p.reads }

// any reports whether the words name something measurable.
func (p phrase) any() bool {
	return p.measure != "" || p.order != "" || p.op != "" && p.unit != ""
}

// latency returns the end of a latency metric: latency.mean if unspecified,
// since tools call the mean just latency.
func (p phrase) latency() string { return "latency." + cmp.Or(p.stat, "mean") }
