package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/lab/garage"
	"assay/stacks/s3/loadgen"
	"assay/stats"
)

const (
	s3Rounds = stats.LeastForInterval // each on a Garage of its own
	s3Length = 700 * time.Millisecond // of a cell and a tool, where nothing else ends it
	// s3Bound is the time after which no round is begun: on a busy machine there
	// are fewer, and no interval.
	s3Bound = 17 * time.Minute
	s3Up    = 90 * time.Second // a Garage, to come and to go
	// s3Bytes is the most that a tool puts in one cell. Garage keeps the blocks
	// of what was deleted for minutes, so that nothing is deleted but the Garage.
	s3Bytes = 192 << 20
	// s3Room is what all cells of a round keep, on three nodes, and its files.
	s3Room = 6 << 30
	memory = "/dev/shm" // where no disk is measured
)

// s3Cell is a load that every tool puts on the store.
type s3Cell struct {
	op      loadgen.Op
	size    int64 // of an object, B
	clients int   // at once
}

// files says how many objects of a size are laid out to be read, and copied by a
// tool that does not go by time: about a second's work.
func files(size int64) int {
	return map[int64]int{1 << 10: 600, 64 << 10: 300, 1 << 20: 96, 10 << 20: 20}[size]
}

// most bounds the operations of a tool that goes by time.
func (c s3Cell) most() int64 {
	if c.op == loadgen.Put {
		return s3Bytes / c.size
	}
	return 1 << 20
}

// s3Done is what a tool did: how many operations, in which time, and with how
// much of its own CPU time, both in seconds.
type s3Done struct {
	ops       int64
	wall, cpu float64
}

// s3Tool puts loads on one store.
type s3Tool interface {
	name() string
	// layOut writes the objects of a size that are read later.
	layOut(ctx context.Context, size int64) error
	load(ctx context.Context, c s3Cell) (s3Done, error)
}

// s3Store is a Garage for the time of a round.
type s3Store struct {
	endpoint     string // one for all tools: people's loops know no other
	admin, token string
	key          garage.Key // of peersBucket
	dir          string     // for what the tools keep
}

// peersBucket is for the tools that make none of their own.
const peersBucket = "peers"

// s3Table is what was measured on a Garage of some nodes.
type s3Table struct {
	nodes int
	tools []string
	cells []s3Cell
	done  map[s3Cell]map[string][]s3Done // by tool, one a round
}

// s3Tables are the tables to be filled. Ten mebibytes by 64 at once are left out:
// 640 MiB would be under way before the first is done. Behind more nodes a client
// does the same; there few cells are enough.
func s3Tables(tools []string, short bool) []*s3Table {
	small := func(nodes int) *s3Table { return newS3Table(nodes, tools, []int64{1 << 10, 1 << 20}, []int{16}) }
	if short {
		return []*s3Table{small(1)}
	}
	one := newS3Table(1, tools, []int64{1 << 10, 64 << 10, 1 << 20, 10 << 20}, []int{1, 16, 64})
	one.cells = slices.DeleteFunc(one.cells, func(c s3Cell) bool { return c.size == 10<<20 && c.clients == 64 })
	return []*s3Table{one, small(3)}
}

func newS3Table(nodes int, tools []string, sizes []int64, clients []int) *s3Table {
	t := &s3Table{nodes: nodes, tools: tools, done: map[s3Cell]map[string][]s3Done{}}
	for _, op := range []loadgen.Op{loadgen.Put, loadgen.Get} {
		for _, size := range sizes {
			for _, n := range clients {
				c := s3Cell{op, size, n}
				t.cells, t.done[c] = append(t.cells, c), map[string][]s3Done{}
			}
		}
	}
	return t
}

// round measures every cell once with every tool, one tool after the other, in
// an order that turns round each time.
func (t *s3Table) round(ctx context.Context, tools []s3Tool, backward bool) error {
	tools = slices.Clone(tools)
	if backward {
		slices.Reverse(tools)
	}
	laid := map[int64]bool{}
	for _, c := range t.cells {
		for _, tool := range tools {
			if !laid[c.size] {
				if err := tool.layOut(ctx, c.size); err != nil {
					return fmt.Errorf("%s lays out: %w", tool.name(), err)
				}
			}
		}
		laid[c.size] = true
		for _, tool := range tools {
			done, err := tool.load(ctx, c)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", tool.name(), c, err)
			}
			t.done[c][tool.name()] = append(t.done[c][tool.name()], done)
		}
	}
	return nil
}
