package analysis

import (
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/compare"
)

// besideTable compares the throughput of large objects with that of large
// blocks: one row per direction, for the closest sizes.
func (b *builder) besideTable(storage, objects []TierColumn, blocks, requests []tierCase) TierTable {
	columns := append(append([]TierColumn{}, storage...), objects...)
	t := TierTable{ID: BesideTiers, Columns: tierNames(columns)}
	for _, way := range []struct{ dir, op string }{{"write", "put"}, {"read", "get"}} {
		metric, request := "storage."+way.dir+".bandwidth", "object."+way.op+".throughput"
		block, object := nearest(blocks, requests, way.dir, metric, request)
		if block == nil || object == nil {
			continue
		}
		m, _ := assay.Describe(metric)
		row := TierRow{
			Title: block.title + ", and " + object.title, Label: "throughput", Metric: metric, Unit: m.Unit, Better: betterWord(m.Better), Headline: true,
		}
		var base *assay.Result
		for i, r := range append(append([]*assay.Result{}, block.results...), object.results...) {
			f, of, title := tierFigure{column{metric, "bandwidth"}, true}, metric, block.title
			if i >= len(storage) {
				f, of, title = tierFigure{column{request, "throughput"}, true}, request, object.title
			}
			cell := TierCell{ComparedCell: ComparedCell{SideCell: b.tierCell(r, f, columns[i].Host)}}
			switch {
			case cell.Figure == nil:
			case base == nil && i < len(storage) && !cell.Figure.Rejected:
				base, t.Base = r, columns[i].Name
				row.Load.InFlight = inFlight(happenedTo(*r, metric))
			case base != nil:
				if cell.Unlike = unlikeBeside(*base, *r, metric, of); cell.Unlike != nil {
					t.Refused = append(t.Refused, Refusal{columns[i].Name, cell.Unlike, []string{title}})
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		if base != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// InFlight names a difference in the number of operations in flight.
const InFlight = "in flight"

// unlikeBeside compares blocks with blocks as usual, and objects with blocks only
// by the number in flight.
func unlikeBeside(base, other assay.Result, metric, of string) []compare.Difference {
	if metric == of {
		return unlike(base, other, metric)
	}
	was, is := inFlight(happenedTo(base, metric)), inFlight(happenedTo(other, of))
	if was == is {
		return nil
	}
	return []compare.Difference{{Name: InFlight, Values: []string{strconv.Itoa(was), strconv.Itoa(is)}}}
}

// nearest picks the sequential block case and the large object case whose sizes
// are closest, as a ratio.
func nearest(blocks, requests []tierCase, dir, metric, request string) (block, object *tierCase) {
	least := math.Inf(1)
	for i := range blocks {
		size, pattern := blocks[i].size(metric)
		if pattern != dir {
			continue
		}
		for j := range requests {
			other, _ := requests[j].size(request)
			if apart := math.Abs(math.Log(float64(size) / float64(other))); size > 0 && other >= assay.LargeBlock && apart < least {
				least, block, object = apart, &blocks[i], &requests[j]
			}
		}
	}
	return block, object
}

// size returns how many bytes one operation of a case moves, and its pattern.
func (c tierCase) size(metric string) (bytes int64, pattern string) {
	for _, r := range c.results {
		if r != nil && len(r.Values(metric)) > 0 {
			return requestSize(*r, metric), strings.ToLower(happenedTo(*r, metric)["pattern"])
		}
	}
	return 0, ""
}
