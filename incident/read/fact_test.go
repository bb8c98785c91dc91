package read

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// A needle is looked for in the whole line. In a journal entry it may be in any field, so
// each fact is also told of messages that lack it, and of blank ones.
func TestFactsOfMessagesWithoutTheirNeedle(t *testing.T) {
	for _, f := range slices.Concat(facts(), countedFacts()) {
		for _, message := range []string{" ", "[12.5]", "2026-02-22 12:00:00", "x", f.has, " " + f.has + " "} {
			var log bytes.Buffer
			entry := json.NewEncoder(&log)
			entry.SetEscapeHTML(false) // journalctl writes "->" as it is
			if err := entry.Encode(map[string]string{"MESSAGE": message, "_CMDLINE": f.has}); err != nil {
				t.Fatal(err)
			}
			if err := New().Read("log", "", &log); err != nil {
				t.Errorf("%q in %q: %v", f.has, message, err)
			}
		}
	}
}
