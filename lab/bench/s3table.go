package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/lab/garage"
	"assay/stacks/s3/loadgen"
	"assay/stats"
)

// The goals, per second of the client's CPU time.
var (
	fiveBoto3 = claim{text: "at least 5 x", low: 5, high: math.Inf(1)}
	moreWarp  = claim{text: "at least 1.2 x", low: 1.2, high: math.Inf(1)}
)

// published are figures that others measured for PUT with 16 clients on a Garage
// of one node, on a similar machine: per CPU-second of warp, and of boto3.
var published = map[s3Cell]struct {
	warp, boto3 float64
	speed       string
}{
	{loadgen.Put, 1 << 10, 16}: {4670, 593, "3,292 obj/s"},
	{loadgen.Put, 1 << 20, 16}: {500, 276, "125 MiB/s"},
}

func (c s3Cell) String() string {
	size := fmt.Sprintf("%d KiB", c.size>>10)
	if c.size >= 1<<20 {
		size = fmt.Sprintf("%d MiB", c.size>>20)
	}
	return fmt.Sprintf("%s %s, %d at once", c.op, size, c.clients)
}

func (d s3Done) speed() float64  { return float64(d.ops) / d.wall }
func (d s3Done) perCPU() float64 { return float64(d.ops) / d.cpu }

// values returns one figure from all rounds.
func values(all []s3Done, figure func(s3Done) float64) []float64 {
	out := make([]float64, len(all))
	for i, d := range all {
		out[i] = figure(d)
	}
	return out
}

// s3Conditions are the conditions of the measurement.
type s3Conditions struct {
	rounds int
	took   time.Duration
	place  string // of the store's data
}

// s3Markdown formats the results.
func s3Markdown(tables []*s3Table, c s3Conditions) string {
	var b strings.Builder
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // omitted if unreadable
	fmt.Fprintf(&b, "%d rounds, each on a new Garage %s that keeps its data in %s, %.0f minutes in all, on %d CPUs with Linux %s. Medians, and ratios of the same round with their interval.\n",
		c.rounds, garage.Version, c.place, math.Ceil(c.took.Minutes()), runtime.NumCPU(), strings.TrimSpace(string(kernel)))
	for _, t := range tables {
		nodes := "One node"
		if t.nodes > 1 {
			nodes = fmt.Sprintf("%d nodes, %d copies", t.nodes, t.nodes)
		}
		fmt.Fprintf(&b, "\n%s, operations per second of the client's CPU time (against boto3 %s is aimed at):\n\n", nodes, fiveBoto3.text)
		t.write(&b, s3Done.perCPU, fiveBoto3)
		fmt.Fprintf(&b, "\n%s, operations per second:\n\n", nodes)
		t.write(&b, s3Done.speed, claim{})
	}
	writePublished(&b, tables[0])
	return b.String()
}

// write writes a table of one figure; c is the claim for assay against boto3.
func (t *s3Table) write(b *strings.Builder, figure func(s3Done) float64, c claim) {
	peers := t.tools[1:]
	fmt.Fprintf(b, "| operation | %s |", strings.Join(t.tools, " | "))
	for _, peer := range peers {
		fmt.Fprintf(b, " assay / %s |", peer)
	}
	claimed := c.text != "" && slices.Contains(peers, "boto3")
	if claimed {
		b.WriteString(" ok |")
	}
	columns := len(t.tools) + len(peers)
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", columns))
	if claimed {
		b.WriteString(" --- |")
	}
	b.WriteString("\n")
	for _, cell := range t.cells {
		fmt.Fprintf(b, "| %s |", cell)
		for _, tool := range t.tools {
			fmt.Fprintf(b, " %s |", rounded(stats.Median(values(t.done[cell][tool], figure))))
		}
		for _, peer := range peers {
			fmt.Fprintf(b, " %s |", ratioInWords(t.against(cell, peer, figure)))
		}
		if claimed {
			fmt.Fprintf(b, " %s |", c.judge(t.against(cell, "boto3", figure)))
		}
		b.WriteString("\n")
	}
}

// against returns the ratio of assay's figure to a peer's.
func (t *s3Table) against(c s3Cell, peer string, figure func(s3Done) float64) stats.Summary {
	r, err := ratios(values(t.done[c]["assay"], figure), values(t.done[c][peer], figure))
	if err != nil {
		return stats.Summary{}
	}
	return stats.Summarise(r)
}

// writePublished compares these results with the published ones.
func writePublished(b *strings.Builder, t *s3Table) {
	b.WriteString("\nBeside a published measurement on a machine like this, one Garage node, operations per second of the client's CPU time:\n\n")
	fmt.Fprintf(b, "| operation | boto3, published | warp, published | assay here | assay / warp (%s is aimed at) | ok |\n| --- | ---: | ---: | ---: | ---: | --- |\n", moreWarp.text)
	for _, c := range t.cells {
		p, there := published[c]
		if !there {
			continue
		}
		own := values(t.done[c]["assay"], s3Done.perCPU)
		s := stats.Summarise(each(own, func(v float64) float64 { return v / p.warp }))
		fmt.Fprintf(b, "| %s | %s | %s (%s) | %s | %s | %s |\n", c, rounded(p.boto3), rounded(p.warp), p.speed, rounded(stats.Median(own)), ratioInWords(s), moreWarp.judge(s))
	}
}

// rounded prints a number with three significant digits.
func rounded(v float64) string {
	if v >= 1000 {
		scale := math.Pow(10, math.Floor(math.Log10(v))-2)
		return thousands(int(math.Round(v/scale) * scale))
	}
	return fmt.Sprintf("%.3g", v)
}
