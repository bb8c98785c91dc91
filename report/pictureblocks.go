package report

import (
	"fmt"
	"math"
	"slices"

	"assay/analysis"
	"assay/internal/order"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/report/block"
)

// Shares of the expected rate below which a path is drawn as low, and as bad.
const (
	lowShare = .8
	badShare = .5
)

// mostWaysSaid is the most paths that a picture names.
const mostWaysSaid = 6

// metricTroubles maps metrics to the trouble they show.
var metricTroubles = map[string]string{
	"net.tcp.retransmits": "loses packets", "net.udp.loss": "loses packets", "net.rtt.loss": "loses echoes", "net.rtt.duplicates": "has packets duplicated",
	"net.path_mtu": "has a smaller path MTU", "net.rtt.median": "has longer round trips", "net.rtt.stddev": "has unsteady round trips", "net.tcp.mss": "has short TCP segments", "net.udp.throughput": "has a lower UDP throughput",
}

// pictureBlocks draws each network with a throughput.
func pictureBlocks(s *Side) block.Blocks {
	if s == nil {
		return nil
	}
	var all block.Blocks
	for _, p := range s.Pictures() {
		all = append(all, pictureBlock(p))
	}
	if len(all) > 0 {
		all = append(block.Blocks{block.Heading{Level: 1, Text: "Links at a glance"}}, all...)
	}
	return all
}

func pictureBlock(p analysis.Picture) block.Links {
	b := block.Links{Title: p.Network, Aside: "100 % is " + quantity.Of(p.Metric, p.Expected) + ", which the faster quarter of the links reaches"}
	for _, h := range p.Hosts {
		one := block.LinkHost{Name: h.Name}
		if h.Marked() {
			one.Is, one.Text = block.Bad, hostTrouble(h, p)
			b.Said = append(b.Said, block.Sentence{Is: block.Bad, Word: h.Name, Text: prose.Sentence(one.Text) + "."})
		}
		b.Hosts = append(b.Hosts, one)
	}
	var named, others []analysis.PictureWay
	var lacks []string // why links have no figure
	lacking := map[string]int{}
	for _, w := range p.Ways {
		b.Ways = append(b.Ways, wayOf(w, p))
		switch {
		case w.Via != "":
			b.Said = append(b.Said, block.Sentence{Is: block.Doubt, Word: w.From + " → " + w.To, Text: prose.Sentence(wayOf(w, p).Text) + "."})
		case !w.Measured:
			if w.Lacks != "" {
				lacks = appendNew(lacks, w.Lacks)
				lacking[w.Lacks]++
			}
		case isLow(w) && !slices.ContainsFunc(p.Hosts, func(h analysis.PictureHost) bool { return h.Explains(w) }):
			named = append(named, w)
		case !isLow(w):
			others = append(others, w)
		}
	}
	order.Stable(named, func(a, b analysis.PictureWay) int {
		if a.Share < b.Share {
			return -1
		}
		return 1
	})
	for _, w := range named[:min(len(named), mostWaysSaid)] {
		b.Said = append(b.Said, block.Sentence{Is: kindOfShare(w), Word: w.From + " → " + w.To, Text: fmt.Sprintf("%s, %s.", percent(w.Share), quantity.Of(p.Metric, w.Value))})
	}
	if more := len(named) - mostWaysSaid; more > 0 {
		b.Said = append(b.Said, block.Sentence{Is: block.Doubt, Word: prose.Plural(more, "more link"), Text: "below " + percent(lowShare) + "."})
	}
	for _, why := range lacks {
		b.Said = append(b.Said, block.Sentence{Word: prose.Plural(lacking[why], "link"), Text: why + "."})
	}
	if len(others) > 0 {
		word := prose.Plural(len(others), "other link")
		if len(b.Said) == 0 {
			word = "all " + prose.Plural(len(others), "link")
		}
		b.Said = append(b.Said, block.Sentence{Is: block.Good, Word: word, Text: shareRange(others) + "."})
	}
	return b
}

// hostTrouble says how a host is worse than the others.
func hostTrouble(h analysis.PictureHost, p analysis.Picture) string {
	var said []string
	sent := slices.DeleteFunc(slices.Clone(p.Ways), func(w analysis.PictureWay) bool { return w.From != h.Name || !w.Measured })
	received := slices.DeleteFunc(slices.Clone(p.Ways), func(w analysis.PictureWay) bool { return w.To != h.Name || !w.Measured })
	switch {
	case h.Sends && h.Receives:
		said = append(said, "sends and receives at "+shareRange(slices.Concat(sent, received)))
	case h.Sends:
		said = append(said, "sends at "+shareRange(sent))
	case h.Receives:
		said = append(said, "receives at "+shareRange(received))
	}
	for _, metric := range h.Shows {
		if words := metricTroubles[metric]; words != "" && !slices.Contains(said, words) {
			said = append(said, words)
		}
	}
	return prose.And(said)
}

// shareRange returns the range of the paths' shares.
func shareRange(ways []analysis.PictureWay) string {
	least, most := math.Inf(1), 0.
	for _, w := range ways {
		least, most = min(least, w.Share), max(most, w.Share)
	}
	if percent(least) == percent(most) {
		return percent(least)
	}
	return fmt.Sprintf("%.0f to %s", 100*least, percent(most))
}

func wayOf(w analysis.PictureWay, p analysis.Picture) block.Way {
	if !w.Measured {
		return block.Way{From: w.From, To: w.To, Via: w.Via, Share: block.Number(math.NaN()), Text: w.Lacks}
	}
	text := quantity.Of(p.Metric, w.Value)
	for _, metric := range w.Shows {
		text = joinWords(", ", text, metricTroubles[metric])
	}
	way := block.Way{From: w.From, To: w.To, Via: w.Via, Share: block.Number(w.Share), Is: kindOfShare(w), Text: text}
	if w.Via != "" {
		way.Text = joinWords(", ", "goes through "+w.Via, text)
		if way.Is == "" {
			way.Is = block.Doubt
		}
	}
	return way
}

func isLow(w analysis.PictureWay) bool { return w.Odd || len(w.Shows) > 0 || w.Share < lowShare }

func kindOfShare(w analysis.PictureWay) block.Kind {
	switch {
	case w.Odd, w.Share < badShare:
		return block.Bad
	case isLow(w):
		return block.Doubt
	}
	return ""
}
