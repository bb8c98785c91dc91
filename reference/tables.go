package reference

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// tables are figures.yaml and drives.yaml. Those are for people: every report needs
// what is in them, and to read YAML would take a third of the time of showing a run.
type tables struct {
	Figures figuresFile `json:"figures"`
	Drives  []family    `json:"drives"`
}

// A test writes it.
//
//go:embed tables.json
var tablesJSON []byte

// published panics where the tables cannot be read, which a test would have found.
var published = sync.OnceValue(func() tables {
	var t tables
	if err := json.Unmarshal(tablesJSON, &t); err != nil {
		panic(fmt.Errorf("tables.json: %w", err))
	}
	return t
})
