package table

import (
	"math"
	"strings"

	"assay/internal/bytesize"
	"assay/internal/lazyregexp"
)

// kilo identifies a bandwidth in KB, which fio 2 and many others use for 1,024
// B: it is read as 1,000 until the column shows which it is.
type kilo struct {
	line   int
	metric string
}

var kiloWord = lazyregexp.New(`^KB(?:/s|/sec|ps)?$`)

// plainOrGrouped reports whether a cell has no unit of its own.
func plainOrGrouped(cell string) bool {
	return plainNumber.MatchString(cell) || groupedNumber.MatchString(cell)
}

// kiloSlack is the relative tolerance between bandwidth and operations times
// size, beyond one operation and one KB: the two readings differ by 2.4 %.
const kiloSlack = .005

// settleKilo sets the column's KB to 1,024 B if that fits the operations of more
// of its rows. Rows that then disagree are inconsistent in themselves.
func (b *bench) settleKilo(all []row) {
	if len(b.kilo) == 0 {
		return
	}
	binary, decimal := 0, 0
	var of []*figure
	for i := range all {
		for k := range all[i].figures {
			f := &all[i].figures[k]
			if !b.kilo[kilo{f.line, f.metric}] {
				continue
			}
			of = append(of, f)
			switch kib, kb := all[i].moves(*f, 1.024), all[i].moves(*f, 1); {
			case kib && !kb:
				binary++
			case kb && !kib:
				decimal++
			}
		}
	}
	if binary <= decimal {
		return
	}
	for _, f := range of {
		f.value *= 1.024
	}
}

// moves reports whether a bandwidth times a factor matches the row's operations.
func (r row) moves(f figure, factor float64) bool {
	m := blockWord.FindStringSubmatch(r.labels["bs"])
	if m == nil {
		return false
	}
	block, ok := bytesize.Binary(m[1] + m[2])
	if !ok {
		return false
	}
	iops := strings.TrimSuffix(f.metric, ".bandwidth") + ".iops"
	for _, other := range r.figures {
		if made := other.value * block; other.metric == iops && made > 0 && f.value > 0 {
			return math.Abs(f.value*factor/made-1) <= kiloSlack+1/other.value+500/f.value
		}
	}
	return false
}
