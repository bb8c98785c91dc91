package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// operations names what a figure of large operations is of: "sequential writes",
// "PUTs of 10 MiB".
func operations(r assay.Result, metric string) string {
	words := strings.Split(metric, ".")
	load := happenedTo(r, metric)
	if words[0] == "object" {
		return fmt.Sprintf("%ss of %s", strings.ToUpper(words[1]), quantity.Size(requestSize(r, metric)))
	}
	order := "sequential "
	if strings.HasPrefix(load["pattern"], "rand") {
		order = "random "
	}
	return order + words[1] + "s"
}

// sentence says what binds, and of what kind that sentence is. busy is the
// number of the finding that the client was the bottleneck.
func (t TierBind) sentence(who, what string, nearest *TierLimit, busy int) (kind, text string) {
	missing := strings.Join(t.Missing, ", ")
	switch {
	case busy > 0:
		return "limit", fmt.Sprintf("%s: %s are limited by the client's own CPU [%d]", who, what, busy)
	case nearest == nil && missing == "":
		return "next", fmt.Sprintf("%s: can't tell what limits %s", who, what)
	case nearest == nil:
		return "next", fmt.Sprintf("%s: can't tell what limits %s; missing: %s", who, what, missing)
	}
	head := fmt.Sprintf("%s: %s at %.0f %% of %s (%s)", who, what, 100*t.Share, nearest.Name, quantity.Amount(nearest.Value, assay.BytesPerSecond))
	switch {
	case t.Share > beyond:
		return "doubt", head + ": exceeds this limit, so it is not the bottleneck; check the facts"
	case t.Share >= bindsFrom:
		return "limit", head
	case t.Share < farBelow && missing == "":
		return "note", head + ", less than half of every known hardware limit: check " + nearest.besides()
	case missing == "":
		return "note", head + ", the nearest known limit"
	}
	return "note", head + ", the nearest known limit; unknown: " + missing
}

// besides says what else there is than a limit: a link says nothing of the drive
// behind it.
func (l TierLimit) besides() string {
	if l.Drive {
		return "the drive itself, software or queue depth"
	}
	return "software, clients or queue depth"
}

// Arithmetic is how the limits come about: "1.00 Gb/s × 1,448/1,538 / 8 / 2 = 58.8 MB/s".
func (t TierBind) Arithmetic() string {
	var sums []string
	for _, l := range t.Limits {
		sums = append(sums, l.Sum+" = "+quantity.Amount(l.Value, assay.BytesPerSecond))
	}
	if len(sums) == 0 {
		return ""
	}
	return quantity.Amount(t.Value, assay.BytesPerSecond) + " against " + strings.Join(sums, "; ")
}

// syncAdvice is the p99 of a sync of its log that etcd asks for at most, in s
// (etcd's FAQ, "failed to send out heartbeat on time": wal_fsync_duration_seconds).
const syncAdvice = 10e-3

// tierNotes are the sentences that are about the tiers as a whole.
func (b *builder) tierNotes(t *Tiers, storage []TierColumn, blocks []tierCase) []string {
	out := b.syncNote(storage, blocks)
	for i, c := range storage {
		block := slices.ContainsFunc(blocks, func(k tierCase) bool {
			return k.results[i] != nil && k.results[i].Trial.Subject.Kind == assay.KindBlock
		})
		if block {
			out = append(out, c.Name+" is a raw block device: unlike the others, it has no file system overhead.")
		}
	}
	if note := engineNote(storage, blocks); note != "" {
		out = append(out, note)
	}
	for _, c := range t.Columns {
		if s := b.run.Inventory.Facts[c.Host].Stack; s != nil && s.Health != "" && !isHealthy(s.Health) {
			out = append(out, fmt.Sprintf("%s reports that it is %s: with fewer copies it writes less, so these are not its figures when healthy.", c.Name, s.Health))
		}
	}
	return out
}

// isHealthy knows the words with which Longhorn, Ceph, DRBD and Garage say that
// all is well.
func isHealthy(word string) bool {
	return slices.Contains([]string{"healthy", "health_ok", "uptodate", "ok"}, strings.ToLower(word))
}

// engineNote names the engines where they differ: how operations are handed to
// the kernel is part of the difference then, if mostly a small one.
func engineNote(columns []TierColumn, cases []tierCase) string {
	var engines []string
	users := map[string][]string{}
	for i, c := range columns {
		for _, k := range cases {
			if k.results[i] == nil {
				continue
			}
			for _, f := range tierFigures(k.results[i]) {
				engine := labelsOf(*k.results[i], f.metric)["engine"]
				if engine == "" || slices.Contains(users[engine], c.Name) {
					continue
				}
				if !slices.Contains(engines, engine) {
					engines = append(engines, engine)
				}
				users[engine] = append(users[engine], c.Name)
			}
		}
	}
	if len(engines) < 2 {
		return ""
	}
	var parts []string
	for _, e := range engines {
		parts = append(parts, e+" ("+strings.Join(users[e], ", ")+")")
	}
	return "The I/O engines differ, with as many requests in flight: " + strings.Join(parts, ", ") + "."
}

// syncNote holds the synchronous writes at depth 1 against etcd's advice.
func (b *builder) syncNote(columns []TierColumn, cases []tierCase) []string {
	const metric = "storage.write.latency.p99"
	var within, beyondIt, open []string
	for i, c := range columns {
		for _, k := range cases {
			r := k.results[i]
			if r == nil || !waitsForEach(*r) {
				continue
			}
			cell := b.tierCell(r, tierFigure{column{metric, "p99"}, false}, c.Host)
			f := cell.Figure
			if f == nil || f.Rejected {
				continue
			}
			text := fmt.Sprintf("%s (%s)", c.Name, quantity.Of(metric, f.Value))
			switch {
			case f.High < syncAdvice:
				within = append(within, text)
			case f.Low >= syncAdvice:
				beyondIt = append(beyondIt, text)
			default:
				open = append(open, text)
			}
		}
	}
	var parts []string
	for _, group := range []struct {
		names []string
		one   string
		many  string
	}{{within, "meets it", "meet it"}, {beyondIt, "does not", "do not"}, {open, "is borderline", "are borderline"}} {
		switch len(group.names) {
		case 0:
		case 1:
			parts = append(parts, group.names[0]+" "+group.one)
		default:
			parts = append(parts, prose.And(group.names)+" "+group.many)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"Synchronous writes at depth 1 are what etcd and a write-ahead log depend on; etcd needs a p99 below " +
		strconv.Itoa(int(1000*syncAdvice)) + " ms: " + strings.Join(parts, "; ") + "."}
}

// waitsForEach says that a result is of small writes, one at a time, each of them
// durable before the next.
func waitsForEach(r assay.Result) bool {
	load := happenedTo(r, "storage.write.iops")
	size := requestSize(r, "storage.write.iops")
	return strings.Contains(load["pattern"], "write") && inFlight(load) == 1 && load["sync"] != "" && load["sync"] != "0" && size > 0 && size < largeRequest
}
