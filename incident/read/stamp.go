package read

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"assay/incident"
)

// stamped is a log line with the logger's prefix parsed off.
type stamped struct {
	when incident.When
	host string
	text string
}

// unstamp strips any prefixes of dmesg, journalctl, syslog, klog and container logs from
// a line.
func unstamp(line string) stamped {
	s := stamped{text: strings.TrimLeft(line, " \t>")}
	if strings.HasPrefix(s.text, "{") {
		if inner, ok := fromJSON(s.text); ok {
			rest := unstamp(inner.text)
			inner.text = rest.text
			if !inner.when.Known() {
				inner.when = rest.when
			}
			return inner
		}
	}
	for range 8 {
		before := s.text
		s.strip()
		s.text = strings.TrimLeft(s.text, " \t")
		if s.text == before {
			break
		}
	}
	return s
}

// strip removes one prefix.
func (s *stamped) strip() {
	t := s.text
	switch {
	case strings.HasPrefix(t, "<"):
		if end := strings.IndexByte(t, '>'); end > 1 && end <= 4 && digits(t[1:end]) {
			s.text = strings.TrimPrefix(t[end+1:], "1 ") // RFC 5424 has its version here
		}
	case strings.HasPrefix(t, "["):
		s.bracket()
	case strings.HasPrefix(t, "kern  :"), strings.HasPrefix(t, "kern :"):
		if at := strings.Index(t, ": "); at >= 0 && at < 20 {
			s.text = t[at+2:]
		}
	case strings.HasPrefix(t, "kernel:"):
		s.text = t[len("kernel:"):]
	case strings.HasPrefix(t, "time=\""):
		if end := strings.IndexByte(t[6:], '"'); end > 0 {
			if when, n := isoTime(t[6 : 6+end]); n > 0 {
				s.when.Wall = when
				s.text = t[6+end+1:]
			}
		}
	default:
		if s.when.Wall.IsZero() {
			s.date()
		}
	}
}

// bracket parses [12.345], [Tue Oct 27 08:51:35 2020], [T123] and [kernel].
func (s *stamped) bracket() {
	end := strings.IndexByte(s.text, ']')
	if end < 0 || end > 40 {
		return
	}
	in, rest := strings.TrimSpace(s.text[1:end]), s.text[end+1:]
	if seconds, err := strconv.ParseFloat(in, 64); err == nil && strings.Contains(in, ".") {
		if in[0] != '+' && seconds >= 0 && seconds < 1e9 {
			s.when.Up = time.Duration(seconds * float64(time.Second))
		}
		s.text = rest
		return
	}
	fields := strings.Fields(in)
	switch {
	case len(fields) == 5: // weekday in any language, month, day, time, year
		if when, err := time.Parse("Jan 2 15:04:05 2006", strings.Join(fields[1:], " ")); err == nil {
			s.when.Wall = when
		}
		if strings.Count(fields[3], ":") == 2 {
			s.text = rest
		}
	case len(in) > 1 && (in[0] == 'T' || in[0] == 'C') && digits(in[1:]), in == "kernel":
		s.text = rest
	case strings.Count(in, ":") == 2 && strings.ContainsAny(in, "-/"):
		if when, n := isoTime(in); n > 0 {
			s.when.Wall, s.text = when, rest
		}
	}
}

// date parses a date at the start of a line, and the host and the tag "kernel:" after it.
func (s *stamped) date() {
	when, n := isoTime(s.text)
	if n == 0 {
		when, n = syslogTime(s.text)
	}
	if n == 0 {
		when, n = klogTime(s.text)
	}
	if n == 0 {
		return
	}
	s.when.Wall = when
	s.text = strings.TrimLeft(s.text[n:], " ")
	host, rest, ok := strings.Cut(s.text, " ")
	if !ok || host == "" || strings.ContainsAny(host, ":[]=\"{") || len(host) > 64 {
		return
	}
	rest = strings.TrimLeft(rest, " ")
	tag, _, ok := strings.Cut(rest, " ")
	switch {
	case strings.HasPrefix(rest, "kernel - - - "):
		s.host, s.text = host, rest[len("kernel - - - "):]
	case ok && strings.HasSuffix(tag, ":") && len(tag) < 64 && host != "kernel":
		s.host, s.text = host, rest
	}
}

// isoTime parses 2026-02-22T12:00:00.123+01:00 and similar forms at the start of t,
// and returns the length; 0 if there is none.
func isoTime(t string) (time.Time, int) {
	if len(t) < 19 || t[4] != '-' && t[4] != '/' || t[13] != ':' {
		return time.Time{}, 0
	}
	end := 19
	if end < len(t) && (t[end] == '.' || t[end] == ',') {
		end++
		for end < len(t) && t[end] >= '0' && t[end] <= '9' {
			end++
		}
	}
	text := strings.Replace(strings.ReplaceAll(t[:end], "/", "-"), ",", ".", 1)
	text = text[:10] + "T" + text[11:]
	when, err := time.Parse("2006-01-02T15:04:05.999999999", text)
	if err != nil {
		return time.Time{}, 0
	}
	if end < len(t) && t[end] == 'Z' {
		return when, end + 1
	}
	if end < len(t) && (t[end] == '+' || t[end] == '-') {
		for _, layout := range []string{"-07:00", "-0700"} {
			if end+len(layout) > len(t) {
				continue
			}
			if zone, err := time.Parse(layout, t[end:end+len(layout)]); err == nil {
				_, offset := zone.Zone()
				return when.Add(-time.Duration(offset) * time.Second), end + len(layout)
			}
		}
	}
	return when, end
}

// syslogTime reads "Feb 20 13:46:58".
func syslogTime(t string) (time.Time, int) {
	if len(t) < 15 || t[3] != ' ' || t[9] != ':' || t[12] != ':' {
		return time.Time{}, 0
	}
	when, err := time.Parse(time.Stamp, t[:15])
	if err != nil {
		return time.Time{}, 0
	}
	end := 15
	if end < len(t) && t[end] == '.' {
		for end++; end < len(t) && t[end] >= '0' && t[end] <= '9'; end++ {
		}
		if fraction, err := strconv.ParseFloat("0"+t[15:end], 64); err == nil {
			when = when.Add(time.Duration(fraction * float64(time.Second)))
		}
	}
	return when, end
}

// klogTime reads "E0222 12:00:00.123456 1234 file.go:12]", as Kubernetes logs.
func klogTime(t string) (time.Time, int) {
	if len(t) < 22 || !strings.ContainsRune("IWEF", rune(t[0])) || t[5] != ' ' {
		return time.Time{}, 0
	}
	when, err := time.Parse("0102 15:04:05.999999", t[1:21])
	if err != nil {
		return time.Time{}, 0
	}
	if end := strings.Index(t, "] "); end > 0 && end < 120 {
		return when, end + 2
	}
	return when, 21
}

// journal is an entry of journalctl -o json, or of a container's log.
type journal struct {
	Message  string `json:"MESSAGE"`
	Realtime string `json:"__REALTIME_TIMESTAMP"`
	Host     string `json:"_HOSTNAME"`
	Log      string `json:"log"`
	Time     string `json:"time"`
	Msg      string `json:"msg"`
}

func fromJSON(line string) (stamped, bool) {
	var j journal
	if json.Unmarshal([]byte(line), &j) != nil {
		return stamped{}, false
	}
	s := stamped{host: j.Host}
	switch {
	case j.Message != "":
		s.text = j.Message
	case j.Log != "":
		s.text = j.Log
	case j.Msg != "":
		s.text = j.Msg
	default:
		return stamped{}, false
	}
	if us, err := strconv.ParseInt(j.Realtime, 10, 64); err == nil {
		s.when.Wall = time.UnixMicro(us).UTC()
	} else if when, n := isoTime(j.Time); n > 0 {
		s.when.Wall = when
	}
	if len(s.host) > 64 {
		s.host = ""
	}
	return s, true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
