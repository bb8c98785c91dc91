package iperf3

import (
	"strconv"
	"strings"
)

// command holds what a command line tells and the output may not.
type command struct {
	known    bool
	protocol string // TCP, UDP, SCTP, MPTCP; "" where it does not say
	reverse  bool
	bidir    bool
	client   string  // the server it was given
	target   float64 // bit/s per stream, 0 for none
	omit     float64 // s
	streams  int
	length   float64 // s; iperf3's own default if not given
	amount   bool    // ends after so many bytes, not seconds
	block    float64 // B per write, 0 if not given
}

// defaultLength is how long iperf3 runs by default, in s.
const defaultLength = 10

// parseCommand reads iperf3's options and ignores those of a shell around it.
func parseCommand(argv []string) command {
	if len(argv) == 1 {
		argv = strings.Fields(argv[0])
	}
	c := command{known: len(argv) > 0, length: defaultLength}
	limited := false
	for i := 0; i < len(argv); i++ {
		name, value, given := strings.Cut(argv[i], "=")
		if !given && i+1 < len(argv) {
			value = argv[i+1]
		}
		if short, rest := shortOption(argv[i]); rest != "" {
			name, value = short, rest
		}
		switch name {
		case "-u", "--udp":
			c.protocol = "UDP"
		case "--sctp":
			c.protocol = "SCTP"
		case "-m", "--mptcp":
			c.protocol = "MPTCP"
		case "-R", "--reverse":
			c.reverse = true
		case "--bidir":
			c.bidir = true
		case "-c", "--client":
			c.client = value
		case "-P", "--parallel":
			c.streams, _ = strconv.Atoi(value)
		case "-O", "--omit":
			c.omit, _ = strconv.ParseFloat(value, 64)
		case "-t", "--time":
			c.length, _ = strconv.ParseFloat(value, 64)
		case "-n", "--bytes", "-k", "--blockcount":
			c.amount = true
		case "-l", "--length":
			c.block = parseLength(value)
		case "-b", "--bitrate", "--bandwidth":
			c.target, limited = parseRate(value), true
		}
	}
	if c.protocol == "UDP" && !limited {
		c.target = defaultUDP
	}
	return c
}

// defaultUDP is the default rate of a UDP stream, in bit/s.
const defaultUDP = 1 << 20

// shortOption splits -b1G and -P4; rest is "" for anything else.
func shortOption(word string) (name, rest string) {
	if len(word) > 2 && word[0] == '-' && strings.IndexByte("bcPOtlnk", word[1]) >= 0 {
		return word[:2], word[2:]
	}
	return "", ""
}

// parseLength reads 8K or 1400 in bytes; prefixes are powers of 1024. 0 for anything
// else.
func parseLength(text string) float64 {
	digits := strings.TrimRight(text, "kmKM")
	v, err := strconv.ParseFloat(digits, 64)
	scale, known := map[string]float64{"": 1, "K": 1 << 10, "M": 1 << 20}[strings.ToUpper(text[len(digits):])]
	if err != nil || !known || !(v > 0) || v > 1<<30 {
		return 0
	}
	return v * scale
}

// parseRate reads 1G, 100M or 1G/10 in bit/s; prefixes are powers of 1000. 0 if
// invalid or unlimited.
func parseRate(text string) float64 {
	text, _, _ = strings.Cut(text, "/")
	digits := strings.TrimRight(text, "kmgtKMGT")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(v > 0) || v > 1e15 {
		return 0
	}
	switch strings.ToUpper(text[len(digits):]) {
	case "":
	case "K":
		v *= 1e3
	case "M":
		v *= 1e6
	case "G":
		v *= 1e9
	case "T":
		v *= 1e12
	default:
		return 0
	}
	return v
}
