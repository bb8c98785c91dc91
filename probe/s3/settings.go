package s3

import (
	"fmt"
	"strconv"
	"strings"

	"assay/internal/setting"
	"assay/stacks/s3/loadgen"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
	gib = int64(1) << 30
)

// auto stands for a number that depends on the machine or on the time.
const auto = "auto"

// The values of the setting read.
const (
	warm = "warm"
	cold = "cold"
)

// settings is a case's settings, read and checked.
type settings struct {
	mix         map[loadgen.Op]int
	size        int64 // of an object, B
	part        int64 // B; 0: every object is one PUT
	depth       int   // concurrent requests per job
	jobs        int   // 0: auto
	rate        float64
	objects     int64  // to lay out; 0: auto
	space       int64  // max bytes in the bucket; 0: auto
	read        string // warm, cold, or "" where nothing is read
	payload     loadgen.Payload
	page        int   // keys per LIST
	storeMemory int64 // B, all hosts of the store together; 0: unknown
}

// readSettings reads the settings of the case called label. Errors name the case
// and the key.
func readSettings(label string, set map[string]string) (settings, error) {
	r := setting.Of(label, set)
	s := settings{
		size:        r.Size("size", mib, 1, gib),
		part:        r.Size("part", 0, 5*mib, gib),
		depth:       r.Count("iodepth", 1, 1, 4096),
		read:        r.Word("read", "", warm, cold),
		page:        r.Count("page", 1000, 1, 1000),
		storeMemory: r.Size("store_memory", 0, 1, 1<<60),
		jobs:        r.CountOr(auto, "numjobs", 1, 1, 1024),
		objects:     int64(r.CountOr(auto, "objects", 0, 1, 10_000_000)),
		space:       r.SizeOr(auto, "space", 0, 1, 1<<50),
	}
	r.Need("mix", "use PUT, GET, HEAD, LIST, DELETE, or several with weights: GET=70,PUT=30")
	r.Read("mix", func(value string) (err error) {
		s.mix, err = loadgen.ParseMix(value)
		return err
	})
	r.Read("rate", func(value string) (err error) {
		if s.rate, err = strconv.ParseFloat(value, 64); err != nil || !(s.rate > 0 && s.rate <= 1e6) {
			return fmt.Errorf("%q is not a number of operations a second, up to a million", value)
		}
		return nil
	})
	if word := r.Word("payload", auto, auto, string(loadgen.Signed), string(loadgen.Unsigned)); word != auto {
		s.payload = loadgen.Payload(word)
	}
	r.NoEffect("read", s.mix[loadgen.Get] == 0, "nothing is read")
	r.NoEffect("part", s.mix[loadgen.Put] == 0, "nothing is written")
	switch {
	case s.part%(64*kib) != 0:
		r.Refuse("part: %s is not a multiple of 64k", setting.SizeWord(s.part))
	case s.objects > 0 && s.objects > (1<<50)/max(s.size, 1):
		r.Refuse("objects: %d of %d bytes are too many", s.objects, s.size)
	}
	if s.mix[loadgen.Get] > 0 && s.read == "" {
		s.read = warm
	}
	return s, r.Err()
}

// resolved returns the settings as a trial carries them, with nothing left to
// choose.
func (s settings) resolved() map[string]string {
	set := map[string]string{
		"mix": mixWord(s.mix), "size": setting.SizeWord(s.size), "iodepth": strconv.Itoa(s.depth), "numjobs": strconv.Itoa(s.jobs),
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
	put("part", setting.SizeWord(s.part), s.part > 0)
	put("rate", strconv.FormatFloat(s.rate, 'f', -1, 64), s.rate > 0)
	put("read", s.read, s.read != "")
	put("payload", string(s.payload), s.payload != "")
	put("page", strconv.Itoa(s.page), s.mix[loadgen.List] > 0)
	put("store_memory", strconv.FormatInt(s.storeMemory, 10), s.storeMemory > 0)
	return set
}

// mixWord formats a mix so that equal mixes have equal words.
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
