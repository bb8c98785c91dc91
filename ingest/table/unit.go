package table

import (
	"strings"

	"assay"
	"assay/internal/nearest"
)

// measure is a unit as people write it: its size in a base unit.
type measure struct {
	base assay.Unit
	size float64
}

// decimal and binary prefixes. K is written for both kilo and kibi; here it is
// kilo, and Ki is kibi.
var prefixes = []struct {
	word string
	size float64
}{
	{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15},
	{"ki", 1 << 10}, {"mi", 1 << 20}, {"gi", 1 << 30}, {"ti", 1 << 40}, {"pi", 1 << 50},
}

// measures are all known units, by lower-case spelling. Bits and bytes differ
// only in the case of one letter: bytesOrBits tells them apart.
var measures = buildMeasures()

func buildMeasures() map[string]measure {
	all := map[string]measure{
		"s": {assay.Seconds, 1}, "sec": {assay.Seconds, 1}, "secs": {assay.Seconds, 1}, "second": {assay.Seconds, 1}, "seconds": {assay.Seconds, 1},
		"ms": {assay.Seconds, 1e-3}, "msec": {assay.Seconds, 1e-3}, "us": {assay.Seconds, 1e-6}, "usec": {assay.Seconds, 1e-6},
		"ns": {assay.Seconds, 1e-9}, "nsec": {assay.Seconds, 1e-9},
		"min": {assay.Seconds, 60}, "minutes": {assay.Seconds, 60}, "h": {assay.Seconds, 3600}, "hours": {assay.Seconds, 3600},
		"1/s": {assay.PerSecond, 1}, "/s": {assay.PerSecond, 1},
		"°c": {assay.Celsius, 1}, "c": {assay.Celsius, 1},
		"1": {assay.One, 1}, "%": {assay.One, .01}, "x": {assay.One, 1},
	}
	for _, each := range []string{"iops", "io/s", "ops/s", "op/s", "ops/sec", "ops", "events/s", "events/sec", "req/s", "obj/s"} {
		all[each] = measure{assay.PerSecond, 1}
		all["k"+each] = measure{assay.PerSecond, 1e3}
		all["m"+each] = measure{assay.PerSecond, 1e6}
	}
	for _, p := range prefixes {
		all[p.word+"hz"] = measure{assay.Hertz, p.size}
		for _, bytes := range []string{"bytes", "byte"} {
			all[p.word+bytes] = measure{assay.Bytes, p.size}
			all[p.word+bytes+"/s"] = measure{assay.BytesPerSecond, p.size}
			all[p.word+bytes+"/sec"] = measure{assay.BytesPerSecond, p.size}
		}
		for _, bits := range []string{"bits", "bit"} {
			for _, s := range []string{"/s", "/sec"} {
				all[p.word+bits+s] = measure{assay.BytesPerSecond, p.size / 8}
			}
		}
	}
	return all
}

// cyrillic are units as Russian texts have them. Their Мб is left alone: it may be either.
var cyrillic = strings.NewReplacer("КиБ", "KiB", "МиБ", "MiB", "ГиБ", "GiB", "КБ", "kB", "МБ", "MB", "ГБ", "GB", "мкс", "us", "мс", "ms", "/с", "/s")

// unit parses a unit: MB/s is bytes and Mb/s bits. "" is not a unit.
func unit(word string) (measure, bool) {
	word = strings.TrimSpace(word)
	for _, mu := range []string{"µ", "μ"} {
		word = strings.ReplaceAll(word, mu, "u")
	}
	word = cyrillic.Replace(strings.ReplaceAll(word, "℃", "°C"))
	if fields := strings.Fields(word); len(fields) == 2 && thousands[fields[0]] > 0 {
		word = fields[0] + fields[1] // 13.3 K IOPS
	}
	if m, ok := bytesOrBits(word); ok {
		return m, true
	}
	m, ok := measures[strings.ToLower(word)]
	return m, ok
}

// bytesOrBits parses the spellings in which the case of b matters: B, GiB,
// MB/s, MBps, Gb/s, Gbps, Mbit.
func bytesOrBits(word string) (measure, bool) {
	stem, perSecond := word, false
	for _, end := range []string{"/s", "/sec", "ps"} {
		if cut, ok := strings.CutSuffix(word, end); ok {
			stem, perSecond = cut, true
			break
		}
	}
	prefix, isBytes := strings.CutSuffix(stem, "B")
	if !isBytes {
		var isBits bool
		if prefix, isBits = strings.CutSuffix(stem, "b"); !isBits || !perSecond {
			return measure{}, false
		}
	}
	for _, p := range prefixes {
		if strings.ToLower(prefix) != p.word {
			continue
		}
		switch {
		case isBytes && perSecond:
			return measure{assay.BytesPerSecond, p.size}, true
		case isBytes:
			return measure{assay.Bytes, p.size}, true
		default:
			return measure{assay.BytesPerSecond, p.size / 8}, true
		}
	}
	return measure{}, false
}

// common are the units that errors suggest, by what they measure.
var common = map[assay.Unit][]string{
	assay.BytesPerSecond: {"B/s", "kB/s", "KiB/s", "MB/s", "MiB/s", "GB/s", "GiB/s", "Mb/s", "Gb/s"},
	assay.Seconds:        {"s", "ms", "us", "ns", "h"},
	assay.PerSecond:      {"1/s", "IOPS", "kIOPS"},
	assay.Bytes:          {"B", "KiB", "MiB", "GiB", "TB"},
	assay.Celsius:        {"°C"},
	assay.Hertz:          {"Hz", "MHz", "GHz"},
	assay.One:            {"1", "%"},
}

// nearestUnit returns the unit of that kind that was probably meant, "" if none
// is near. To two letters every unit is near.
func nearestUnit(word string, kind assay.Unit) string {
	if len(word) < 3 {
		return ""
	}
	return nearest.Name(word, common[kind])
}
