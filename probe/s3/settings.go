package s3

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/s3/loadgen"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// auto is the word for a number that depends on the machine, or on the time.
const auto = "auto"

// What the setting read may be.
const (
	warm = "warm"
	cold = "cold"
)

// settings is a case's settings, read and checked.
type settings struct {
	mix         map[loadgen.Op]int
	size        int64 // of an object, B
	part        int64 // B; 0: every object is one PUT
	depth       int   // requests at once of a job
	jobs        int   // 0: auto
	rate        float64
	objects     int64  // that are laid out; 0: auto
	space       int64  // most bytes in the bucket; 0: auto
	read        string // warm, cold, or "" where nothing is read
	payload     loadgen.Payload
	page        int   // keys of a LIST
	storeMemory int64 // B of all hosts of the store together; 0: nobody knows
}

// readSettings reads the settings of the case called label. Errors name the case
// and the key.
func readSettings(label string, set map[string]string) (settings, error) {
	s := settings{size: mib, depth: 1, jobs: 1, page: 1000}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if err := s.set(key, strings.TrimSpace(set[key])); err != nil {
			return s, fmt.Errorf("case %s: %s: %w", label, key, err)
		}
	}
	switch {
	case len(s.mix) == 0:
		return s, assay.WithHint("use PUT, GET, HEAD, LIST, DELETE, or several with weights: GET=70,PUT=30", "case %s: mix is missing", label)
	case s.read != "" && s.mix[loadgen.Get] == 0:
		return s, fmt.Errorf("case %s: read has no effect when nothing is read", label)
	case s.part > 0 && s.mix[loadgen.Put] == 0:
		return s, fmt.Errorf("case %s: part has no effect when nothing is written", label)
	case s.mix[loadgen.Get] > 0 && s.read == "":
		s.read = warm
	}
	if s.objects > 0 && s.objects > (1<<50)/s.size {
		return s, fmt.Errorf("case %s: objects: %d of %d bytes are too many", label, s.objects, s.size)
	}
	return s, nil
}

func (s *settings) set(key, value string) error {
	var err error
	switch key {
	case "mix":
		s.mix, err = loadgen.ParseMix(value)
	case "size":
		s.size, err = sizeOf(value, 1, gib)
	case "part":
		if s.part, err = sizeOf(value, 5*mib, gib); err == nil && s.part%(64*kib) != 0 {
			err = fmt.Errorf("%q is not a multiple of 64k", value)
		}
	case "iodepth":
		s.depth, err = countOf(value, 4096)
	case "numjobs":
		if value == auto {
			s.jobs = 0
			return nil
		}
		s.jobs, err = countOf(value, 1024)
	case "rate":
		if s.rate, err = strconv.ParseFloat(value, 64); err != nil || !(s.rate > 0 && s.rate <= 1e6) {
			err = fmt.Errorf("%q is not a number of operations a second, up to a million", value)
		}
	case "objects":
		if value == auto {
			s.objects = 0
			return nil
		}
		var n int
		n, err = countOf(value, 10_000_000)
		s.objects = int64(n)
	case "space":
		if value == auto {
			s.space = 0
			return nil
		}
		s.space, err = sizeOf(value, 1, 1<<50)
	case "read":
		s.read, err = oneOf(value, warm, cold)
	case "payload":
		value, err = oneOf(value, auto, string(loadgen.Signed), string(loadgen.Unsigned))
		if value != auto {
			s.payload = loadgen.Payload(value)
		}
	case "page":
		s.page, err = countOf(value, 1000)
	case "store_memory":
		s.storeMemory, err = sizeOf(value, 1, 1<<60)
	default:
		return assay.WithHint("valid settings are mix, size, part, iodepth, numjobs, rate, objects, space, read, payload, page and store_memory", "unknown setting")
	}
	return err
}

func oneOf(value string, allowed ...string) (string, error) {
	if slices.Contains(allowed, value) {
		return value, nil
	}
	return "", fmt.Errorf("%q is not one of %s", value, strings.Join(allowed, ", "))
}

func countOf(value string, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", value, most)
	}
	return n, nil
}

func sizeOf(value string, least, most int64) (int64, error) {
	n, ok := assay.ParseSize(value)
	if !ok || n < least || n > most {
		return 0, fmt.Errorf("%q is not a size from %s to %s", value, word(least), word(most))
	}
	return n, nil
}

// resolved writes the settings back as a trial carries them: nothing left to
// choose.
func (s settings) resolved() map[string]string {
	set := map[string]string{
		"mix": mixWord(s.mix), "size": word(s.size), "iodepth": strconv.Itoa(s.depth), "numjobs": strconv.Itoa(s.jobs),
		"objects": strconv.FormatInt(s.objects, 10), "space": strconv.FormatInt(s.space, 10),
	}
	if s.objects == 0 {
		delete(set, "objects")
	}
	put := func(key, value string, there bool) {
		if there {
			set[key] = value
		}
	}
	put("part", word(s.part), s.part > 0)
	put("rate", strconv.FormatFloat(s.rate, 'f', -1, 64), s.rate > 0)
	put("read", s.read, s.read != "")
	put("payload", string(s.payload), s.payload != "")
	put("page", strconv.Itoa(s.page), s.mix[loadgen.List] > 0)
	put("store_memory", strconv.FormatInt(s.storeMemory, 10), s.storeMemory > 0)
	return set
}

// mixWord writes a mix the one way that equal ones share.
func mixWord(mix map[loadgen.Op]int) string {
	var words []string
	for _, op := range loadgen.Ops {
		switch weight := mix[op]; {
		case weight > 0 && len(mix) == 1:
			words = append(words, string(op))
		case weight > 0:
			words = append(words, fmt.Sprintf("%s=%d", op, weight))
		}
	}
	return strings.Join(words, ",")
}

// word writes a size the one way that equal sizes share, which is fio's too: 512,
// 4k, 1m, 1g.
func word(n int64) string {
	for _, u := range []struct {
		bytes  int64
		letter string
	}{{gib, "g"}, {mib, "m"}, {kib, "k"}} {
		if n > 0 && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.letter
		}
	}
	return strconv.FormatInt(n, 10)
}
