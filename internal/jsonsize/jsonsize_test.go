package jsonsize

import (
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

type wide struct {
	Words [64]string `json:"words"`
}

type document struct {
	inner
	List    []wide          `json:"list,omitempty"`
	ByName  map[string]wide `json:"by_name"`
	One     *wide           `json:"one"`
	Times   []time.Time     `json:"times"`
	Any     any             `json:"any"`
	Raw     json.RawMessage `json:"raw"`
	Bytes   []byte          `json:"bytes"`
	Results []struct{}      `json:"results"`
	Ints    []int           `json:"ints"`
}

type inner struct {
	Text    string `json:"text"`
	Results []wide `json:"results"`
	Deep    []wide
}

const most = 1 << 20

func many(n int, piece string) string { return strings.TrimSuffix(strings.Repeat(piece+",", n), ",") }

func TestWhatTakesTooMuchIsRefused(t *testing.T) {
	var entries []string
	for i := range 3000 {
		entries = append(entries, `"k`+strings.Repeat("x", i%7)+string(rune('a'+i%26))+time.Duration(i).String()+`":{}`)
	}
	for name, raw := range map[string]string{
		"empty objects":       `{"list":[` + many(5000, "{}") + `]}`,
		"nothing":             `{"list":[` + many(5000, "null") + `]}`,
		"of another kind":     `{"list":[` + many(5000, "0") + `]}`,
		"in capitals":         `{"LIST":[` + many(5000, "0") + `]}`,
		"another s":           `{"liſt":[` + many(5000, "0") + `]}`,
		"with escapes":        `{"l\u0069st":[` + many(5000, "0") + `]}`,
		"with blanks":         " {\n\"list\" :\t[ " + many(5000, " { } ") + " ] } ",
		"of the embedded":     `{"Deep":[` + many(5000, "{}") + `]}`,
		"entries":             `{"by_name":{` + strings.Join(entries, ",") + `}}`,
		"a list twice":        `{"list":[` + many(600, "0") + `],"list":[` + many(600, "0") + `]}` + strings.Repeat(" ", most/mostGrowth),
		"any list":            `{"any":[` + many(50000, "[]") + `]}`,
		"any map":             `{"any":[` + many(20000, `{"a":1}`) + `]}`,
		"one after the other": `{` + many(2000, `"one":{}`) + `}`,
		"a text":              `{"text":"` + strings.Repeat("x", most+1) + `"}`,
		"numbers":             `{"ints":[` + many(200000, "1") + `]}`,
	} {
		if err := Check([]byte(raw), new(document), most); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, raw := range map[string]string{
		"few":              `{"list":[` + many(900, "{}") + `]}` + strings.Repeat(" ", most/mostGrowth),
		"unknown":          `{"colour":[` + many(5000, "{}") + `]}`,
		"of no size":       `{"results":[` + many(5000, "{}") + `]}`,
		"raw":              `{"raw":[` + many(5000, "{}") + `]}`,
		"not to be opened": `{"text":[` + many(5000, "{}") + `]}`,
	} {
		if err := Check([]byte(raw), new(document), most); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// encoding/json refuses deeper nesting, so the stack used here is bounded.
func TestDepthIsBounded(t *testing.T) {
	for _, piece := range []string{"[", `{"any":`, `[{"list":`} {
		raw := []byte(strings.Repeat(piece, 8<<20))
		_ = Check(raw, new(document), 1<<30)
		if json.Valid(raw[:100<<10]) {
			t.Error("such a document is no longer refused")
		}
	}
}

// The estimate is no less than what is actually allocated and kept.
func TestTheEstimateHolds(t *testing.T) {
	for _, raw := range []string{
		`{"list":[` + many(20000, "{}") + `]}`,
		`{"any":[` + many(100000, "[]") + `]}`,
		`{"times":[` + many(100000, `"2026-01-01T00:00:00Z"`) + `]}`,
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var d document
		if err := json.Unmarshal([]byte(raw), &d); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		kept := int(after.HeapAlloc) - int(before.HeapAlloc)
		if err := Check([]byte(raw), new(document), kept*6/10); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%.20s…: keeps %d bytes, and 60 %% of that is said to be enough", raw, kept)
		}
		runtime.KeepAlive(d)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"list":[{},null,{"words":["a"]}],"by_name":{"a":{}},"any":{"a":[1,"b",null]},"l\u0069st":[]}`))
	f.Add([]byte(`{"raw":[[`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := scale{raw: raw, left: 1 << 40}
		whole := s.value(shapeOf(reflect.TypeFor[document]()), 0)
		if json.Valid(raw) && (!whole || s.next() != 0) {
			t.Fatalf("valid, but weighed only up to byte %d of %d", s.at, len(raw))
		}
	})
}
