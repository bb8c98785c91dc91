package incidentview

import (
	"time"

	"assay/report/block"
)

// Since is what changed since an earlier run measured the hosts, before the trouble began.
type Since struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	// Before reports whether the run is older than the first line of evidence.
	Before  bool     `json:"before"`
	Facts   []string `json:"facts,omitempty"`   // "pve1: kernel was 6.8.12-4-pve, is 6.8.12-5-pve"
	Figures []string `json:"figures,omitempty"` // lasting changes for the worse in the history of runs
	Absent  string   `json:"absent,omitempty"`  // why facts could not be compared
}

// since describes what changed; it is nothing without an earlier run.
func since(s *Since) block.Blocks {
	if s == nil {
		return nil
	}
	title := "What changed since it was well"
	if !s.Before {
		title = "What changed since the newest run"
	}
	blocks := block.Blocks{block.Heading{Level: 1, Text: title, Aside: "run " + s.Run + " of " + s.Started.UTC().Format("2006-01-02 15:04:05")}}
	if all := append(append([]string{}, s.Facts...), s.Figures...); len(all) > 0 {
		blocks = append(blocks, block.Sentence{Text: "Leads, and no causes by themselves."}, block.List{Items: all})
	} else if s.Absent == "" {
		blocks = append(blocks, block.Sentence{Is: block.Good, Word: "same", Text: "The facts of these hosts are as they were then, and no figure has become worse for good."})
	}
	if s.Absent != "" {
		blocks = append(blocks, block.Sentence{Is: block.Note, Word: "unknown", Text: "The facts of now were not compared: " + s.Absent + "."})
	}
	return blocks
}
