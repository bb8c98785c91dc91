package fio

import (
	"bytes"
	"slices"
	"strings"

	"assay"
)

// Format returns how fio's output is recognised: by lines that only its report
// has, and by the version at the start of its JSON.
func (*Probe) Format() assay.Format {
	return assay.Format{
		Tool:     name,
		Commands: []string{"fio"},
		Begins:   begins,
		Splits:   splits,
		Accepts:  func(keys []string) bool { return slices.Contains(keys, "fio version") },
		Within:   within,
	}
}

// begins reports whether a line is one that only fio prints.
func begins(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if isAnnouncement(text) || isResult(text) || isTerse(text) {
		return true
	}
	switch text[0] {
	case 'r', 'w', 't', 'm':
		return isDirection(text) != ""
	case 'c':
		return strings.HasPrefix(text, "clat percentiles (") || strings.HasPrefix(text, "clat (") && strings.Contains(text, "sec): min=")
	case 'i':
		return strings.HasPrefix(text, "issued rwt") && strings.Contains(text, ": total=") ||
			strings.HasPrefix(text, "issued ") && strings.Contains(text, ": total=r=")
	case 'I':
		return strings.HasPrefix(text, "IO depths ") && strings.Contains(text, ": 1=")
	case 'R':
		return strings.HasPrefix(text, "Run status group ") || isGroupLine(text)
	case 'W', 'T':
		return isGroupLine(text)
	case 'h':
		return strings.HasPrefix(text, "hostname=") && strings.Contains(text, ", be=") && strings.Contains(text, ", fio=fio-")
	case 'f':
		return isFailure(text)
	case '"':
		return strings.HasPrefix(text, `"fio version"`)
	}
	return false
}

// within reports whether a line is of a kind that makes up most of a report:
// latencies, percentiles, samples, shares.
func within(line string) bool {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) < 2 || text == "" {
		return false
	}
	switch text[0] {
	case '|':
		return strings.Contains(text, "th=[")
	case 's':
		return strings.HasPrefix(text, "slat (") || strings.HasPrefix(text, "submit    : 0=")
	case 'l':
		return strings.HasPrefix(text, "lat (") || strings.HasPrefix(text, "latency   : target=")
	case 'b':
		return strings.HasPrefix(text, "bw (") && strings.Contains(text, "): min=")
	case 'i':
		return strings.HasPrefix(text, "iops        : min=")
	case 'c':
		return strings.HasPrefix(text, "complete  : 0=") || strings.HasPrefix(text, "cpu          : usr=")
	}
	return false
}

// isAnnouncement reports whether a line is the header of a job.
func isAnnouncement(text string) bool {
	i := strings.Index(text, ": (g=")
	return i > 0 && strings.Contains(text[i:], "): rw=")
}

// isResult reports whether a line starts a job's figures.
func isResult(text string) bool {
	i := strings.Index(text, ": (groupid=")
	return i > 0 && strings.Contains(text[i:], "): err=")
}

// isDirection returns the direction whose figures begin on a line, or "".
func isDirection(text string) string {
	for _, dir := range []string{"read", "write", "trim", "mixed"} {
		rest, ok := strings.CutPrefix(text, dir)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, ": IOPS=") && strings.Contains(rest, ", BW=") ||
			strings.HasPrefix(rest, ": io=") && strings.Contains(rest, ", bw=") {
			return dir
		}
	}
	return ""
}

// isGroupLine reports whether a line sums up all jobs of a group.
func isGroupLine(text string) bool {
	for _, dir := range []string{"READ: ", "WRITE: ", "TRIM: "} {
		if rest, ok := strings.CutPrefix(text, dir); ok {
			return strings.HasPrefix(rest, "bw=") && strings.Contains(rest, ", run=") ||
				strings.HasPrefix(rest, "io=") && strings.Contains(rest, ", aggrb=")
		}
	}
	return false
}

// failures are the beginnings of fio's messages when it gives up.
var failures = []string{
	"terminating on signal ",
	"pid=", "io_u error", "failed to ", "failed initializing", "engine ", "looks like your file system", "destination does not support",
	"first direct IO errored", "file creation disallowed", "file:", "job startup hung", "unable to open", "filesystem does not support",
}

func isFailure(text string) bool {
	rest, ok := strings.CutPrefix(text, "fio: ")
	return ok && slices.ContainsFunc(failures, func(words string) bool { return strings.HasPrefix(rest, words) })
}

// lookBack is how far back splits looks, in bytes: enough for some hundred jobs.
const lookBack = 256 << 10

// splits reports whether next starts another run instead of continuing the one in
// sofar. Status intervals, the jobs of a run and its totals belong to one run.
func splits(sofar []byte, next string) bool {
	next = strings.TrimSpace(next)
	if isJSON(next) {
		return splitsJSON(sofar, next)
	}
	sofar = sofar[max(0, len(sofar)-lookBack):]
	switch {
	case isAnnouncement(next):
		return hasBody(sofar)
	case isResult(next):
		return splitsResult(sofar, next)
	case strings.HasPrefix(next, "Run status group "):
		// The same group twice, with no job in between.
		last := lastIndex(sofar, "Run status group ")
		return last >= 0 && bytes.HasPrefix(sofar[last:], []byte(next)) && !bytes.Contains(sofar[last:], []byte("(groupid="))
	case isTerse(next):
		// Its own header may come before it, but not another run's report.
		return !bytes.Contains(sofar, []byte(";fio-")) && (bytes.Contains(sofar, []byte("(groupid=")) || bytes.Contains(sofar, []byte("Run status group ")))
	}
	dir := isDirection(next)
	return dir != "" && repeats(sofar, dir)
}

func isJSON(text string) bool { return text != "" && (text[0] == '{' || text[0] == '[') }

// splitsJSON compares a document with the one before it.
func splitsJSON(sofar []byte, next string) bool {
	before, ok := lastJSON(sofar)
	if !ok {
		return bytes.Contains(sofar, []byte("(groupid=")) || bytes.Contains(sofar, []byte("Run status group "))
	}
	if next[0] == '[' {
		return true
	}
	s := scanner{text: []byte(next), line: 1}
	after := s.document()
	return s.err != nil || !sameRun(before, after)
}

// lastJSON reads the last document that begins at the beginning of a line.
func lastJSON(sofar []byte) (document, bool) {
	if !bytes.Contains(sofar, []byte(`"fio version"`)) {
		return document{}, false
	}
	at := bytes.LastIndex(sofar, []byte("\n{"))
	if at < 0 && !bytes.HasPrefix(sofar, []byte("{")) {
		return document{}, false
	}
	s := scanner{text: sofar[at+1:], line: 1}
	d := s.document()
	return d, s.err == nil && d.isFio()
}

// hasBody reports whether anything beyond job headers was printed.
func hasBody(sofar []byte) bool {
	for _, words := range []string{"\nfio-", "(groupid=", "Run status group ", "\nStarting ", "IOPS=", "iops=", "\n{"} {
		if bytes.Contains(sofar, []byte(words)) {
			return true
		}
	}
	return bytes.HasPrefix(sofar, []byte("{"))
}

// splitsResult reports whether a job's result belongs to another run: the
// current one has printed its totals and has no such process.
func splitsResult(sofar []byte, next string) bool {
	if before, ok := lastJSON(sofar); ok { // both formats at once
		for _, j := range before.jobs {
			if strings.HasPrefix(next, j.name+": (groupid=") {
				return false
			}
		}
		return true
	}
	if !bytes.Contains(sofar, []byte("Run status group ")) {
		return false
	}
	_, rest, _ := strings.Cut(next, "): err=")
	pid, _, _, ok := field(rest, "pid=", ": ")
	return ok && !strings.HasPrefix(next, allClients+":") && !bytes.Contains(sofar, []byte("pid="+pid)) && !bytes.Contains(sofar, []byte("hostname="))
}

// lastIndex is bytes.LastIndex for rare words: finding all of them from the front is
// several times as fast.
func lastIndex(text []byte, words string) int {
	last := -1
	for {
		at := bytes.Index(text[last+1:], []byte(words))
		if at < 0 {
			return last
		}
		last += 1 + at
	}
}

// repeats reports whether a direction has already appeared since the last job
// began.
func repeats(sofar []byte, dir string) bool {
	from := max(lastIndex(sofar, "(groupid="), lastIndex(sofar, "Run status group "), 0)
	for text := range bytes.SplitSeq(sofar[from:], []byte("\n")) {
		if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte(dir)) && isDirection(string(text)) == dir {
			return true
		}
	}
	return false
}
