package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay"
)

// bareArgv returns the command line that one would type without assay for the
// same job: plain JSON, once, at the end.
func bareArgv(argv []string) []string {
	var bare []string
	for _, word := range argv {
		switch {
		case strings.HasPrefix(word, "--status-interval="):
		case word == "--output-format=json+":
			bare = append(bare, "--output-format=json")
		default:
			bare = append(bare, word)
		}
	}
	return bare
}

// readIOPS sums up the read operations per second of all jobs in fio's JSON.
func readIOPS(b []byte) (float64, error) {
	var doc struct {
		Jobs []struct {
			Read struct {
				IOPS float64 `json:"iops"`
			} `json:"read"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return 0, err
	}
	total := 0.
	for _, j := range doc.Jobs {
		total += j.Read.IOPS
	}
	if total <= 0 {
		return 0, fmt.Errorf("no reads: %w", assay.ErrNoOutput)
	}
	return total, nil
}
