package alike

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"io"
	"sync"
)

// packed is what Pack makes from doc/incidents; go test ./doc -update writes
// it.
//
//go:embed known.json.gz
var packed []byte

// Known returns the incidents that assay knows.
var Known = sync.OnceValue(func() *Set {
	all, err := Unpack(packed)
	if err != nil {
		panic("incident/alike: known.json.gz, which is compiled in: " + err.Error())
	}
	return NewSet(all)
})

// Pack encodes incidents as known.json.gz, without terms that only one of them has.
func Pack(all []Termed) ([]byte, error) {
	shared := NewSet(all).weight
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	lines := json.NewEncoder(z)
	for _, t := range all {
		terms := t.Terms
		t.Terms = nil
		for _, term := range terms {
			if _, ok := shared[term]; ok {
				t.Terms = append(t.Terms, term)
			}
		}
		if err := lines.Encode(t); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Unpack decodes what Pack wrote.
func Unpack(packed []byte) ([]Termed, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var all []Termed
	for lines := json.NewDecoder(z); ; {
		var t Termed
		switch err := lines.Decode(&t); err {
		case nil:
			all = append(all, t)
		case io.EOF:
			return all, nil
		default:
			return nil, err
		}
	}
}
