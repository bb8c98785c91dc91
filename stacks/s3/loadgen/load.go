package loadgen

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Op is an operation of an object store.
type Op string

// The operations.
const (
	Put    Op = "PUT"
	Get    Op = "GET"
	Head   Op = "HEAD"
	List   Op = "LIST" // one page of keys
	Delete Op = "DELETE"
)

// Ops lists all operations.
var Ops = []Op{Put, Get, Head, List, Delete}

// Load describes a load. Durations are nanoseconds in JSON.
type Load struct {
	// Mix weights the operations: {GET: 7, PUT: 3}.
	Mix  map[Op]int `json:"mix"`
	Size int64      `json:"size"` // of an object, B
	// PartSize makes larger objects multipart uploads with parts of this size,
	// one after the other. It is a multiple of 64 KiB; most stores require at
	// least 5 MiB. 0 writes every object with one PUT.
	PartSize int64 `json:"part_size,omitempty"`
	// Concurrency is the number of operations in flight: always in a closed loop,
	// at most in an open one.
	Concurrency int `json:"concurrency"`
	// Rate makes an open loop: operations per second that are meant to start,
	// evenly spaced. 0 is a closed loop.
	Rate     float64       `json:"rate,omitempty"`
	Duration time.Duration `json:"duration"` // how long operations are begun
	// Drain is how long an open loop works off its backlog after its duration;
	// 0 is ten seconds.
	Drain    time.Duration `json:"drain,omitempty"`
	Limit    int64         `json:"limit,omitempty"`     // most operations; 0 for no bound
	Objects  int           `json:"objects,omitempty"`   // that Prepare lays out to be read, listed and deleted
	Space    int64         `json:"space,omitempty"`     // most bytes that the load may keep in the bucket; 0 for no bound
	PageSize int           `json:"page_size,omitempty"` // keys a LIST asks for; 0 is 1000
	Seed     uint64        `json:"seed"`                // of data, keys and choices; another for each client
}

// Bounds of a load.
const (
	maxConcurrency = 4096
	maxSize        = 5 << 40 // S3's own limit on an object
	maxParts       = 10_000  // S3's own, too
)

// ParseMix parses "GET=70,PUT=30", or a single operation.
func ParseMix(text string) (map[Op]int, error) {
	mix := map[Op]int{}
	for part := range strings.SplitSeq(text, ",") {
		name, weight := strings.TrimSpace(part), 1
		if before, after, found := strings.Cut(name, "="); found {
			if _, err := fmt.Sscanf(after+"\n", "%d\n", &weight); err != nil {
				return nil, fmt.Errorf("%q: invalid weight of %s", after, before)
			}
			name = before
		}
		op := Op(strings.ToUpper(strings.TrimSpace(name)))
		if _, twice := mix[op]; twice {
			return nil, fmt.Errorf("duplicate operation %s in the mix", op)
		}
		mix[op] = weight
	}
	return mix, checkMix(mix)
}

func checkMix(mix map[Op]int) error {
	total, known := 0, 0
	for _, op := range Ops {
		if weight, found := mix[op]; found {
			known++
			if weight < 1 || weight > 1_000_000 {
				return fmt.Errorf("invalid weight %d for %s", weight, op)
			}
			total += weight
		}
	}
	if known != len(mix) {
		return fmt.Errorf("the mix has an unknown operation; known are %v", Ops)
	}
	if total == 0 {
		return errors.New("the mix is empty")
	}
	return nil
}

// needsObjects reports whether the bucket must hold objects before the load
// begins.
func (l Load) needsObjects() bool {
	return l.Mix[Get]+l.Mix[Head]+l.Mix[List]+l.Mix[Delete] > 0
}

// check returns an error for an invalid load.
func (l Load) check() error {
	if err := checkMix(l.Mix); err != nil {
		return err
	}
	switch {
	case l.Size < 1 || l.Size > maxSize:
		return fmt.Errorf("invalid object size: %d bytes", l.Size)
	case l.PartSize < 0 || l.PartSize%chunk != 0:
		return fmt.Errorf("part size %d is not a multiple of %d bytes", l.PartSize, chunk)
	case l.PartSize > 0 && (l.Size+l.PartSize-1)/l.PartSize > maxParts:
		return fmt.Errorf("%d bytes in parts of %d bytes exceed %d parts", l.Size, l.PartSize, maxParts)
	case l.Concurrency < 1 || l.Concurrency > maxConcurrency:
		return fmt.Errorf("concurrency %d is not between 1 and %d", l.Concurrency, maxConcurrency)
	case l.Rate < 0 || l.Rate > 1e6:
		return fmt.Errorf("invalid rate: %g operations per second", l.Rate)
	case l.Duration <= 0:
		return errors.New("no duration given")
	case l.Limit < 0 || l.Drain < 0 || l.Space < 0 || l.PageSize < 0 || l.Objects < 0:
		return errors.New("limits must not be negative")
	case l.needsObjects() && l.Objects == 0:
		return errors.New("reads, lists and deletes need existing objects: objects is 0")
	case l.Space > 0 && int64(l.Objects) > l.Space/l.Size:
		return fmt.Errorf("%d objects of %d bytes do not fit into %d bytes", l.Objects, l.Size, l.Space)
	}
	return nil
}
