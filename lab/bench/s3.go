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
	s3Rounds = stats.LeastForInterval // each on a fresh Garage
	s3Length = 700 * time.Millisecond // per cell and tool, unless something ends it sooner
	// s3Bound is the time after which no new round starts: on a busy machine
	// there are fewer rounds, and no interval.
	s3Bound = 17 * time.Minute
	s3Up    = 90 * time.Second // to start or stop a Garage
	// s3Bytes is the most that a tool writes in one cell. Garage keeps the blocks
	// of deleted objects for minutes, so nothing is deleted until the whole
	// Garage is.
	s3Bytes = 192 << 20
	// s3Room is the space for all cells of a round, on three nodes, and for its
	// files.
	s3Room = 6 << 30
	memory = "/dev/shm" // so that no disk is measured
)

// s3Cell is a load that every tool runs against the store.
type s3Cell struct {
	op      loadgen.Op
	size    int64 // of an object, B
	clients int   // at once
}

// files returns how many objects of a size are laid out for reading, and how
// many a tool without a time limit copies: about a second's work.
func files(size int64) int {
	return map[int64]int{1 << 10: 600, 64 << 10: 300, 1 << 20: 96, 10 << 20: 20}[size]
}

// most bounds the operations of a tool that runs for a set time.
func (c s3Cell) most() int64 {
	if c.op == loadgen.Put {
		return s3Bytes / c.size
	}
	return 1 << 20
}

// s3Done is what a tool did: the number of operations, and the elapsed time and
// the tool's own CPU time in seconds.
type s3Done struct {
	ops       int64
	wall, cpu float64
}

// s3Tool runs loads against one store.
type s3Tool interface {
	name() string
	// layOut writes the objects of a size for later reads.
	layOut(ctx context.Context, size int64) error
	load(ctx context.Context, c s3Cell) (s3Done, error)
}

// s3Store is a Garage that exists for one round.
type s3Store struct {
	endpoint     string // one for all tools: typical loops use only one
	admin, token string
	key          garage.Key // of peersBucket
	dir          string     // for the tools' files
}

// peersBucket is for the tools that do not create a bucket of their own.
const peersBucket = "peers"

// s3Table holds the results on a Garage with a given number of nodes.
type s3Table struct {
	nodes int
	tools []string
	cells []s3Cell
	done  map[s3Cell]map[string][]s3Done // by tool, one per round
}

// s3Tables returns the tables to fill in. Ten mebibytes with 64 clients are left
// out: 640 MiB would be in flight before the first object is done. With more
// nodes the client does the same work, so a few cells are enough there.
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

// round measures every cell once with every tool, one tool after another, in an
// order that is reversed every other round.
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
