package reference

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// tables holds figures.yaml and drives.yaml. Those files are for people: every
// report needs their content, and parsing YAML would take a third of the time to
// show a run.
type tables struct {
	Figures figuresFile `json:"figures"`
	Drives  []family    `json:"drives"`
}

// Written by a test.
//
//go:embed tables.json
var tablesJSON []byte

// published panics if the tables cannot be read, which a test would have found.
var published = sync.OnceValue(func() tables {
	var t tables
	if err := json.Unmarshal(tablesJSON, &t); err != nil {
		panic(fmt.Errorf("tables.json: %w", err))
	}
	return t
})
