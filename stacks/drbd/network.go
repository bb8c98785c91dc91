package drbd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
)

// Network notes which interface of a host each path of its resource uses. Unknown
// interfaces get no note.
func Network(ctx context.Context, at assay.Place, resource string, paths []Path, f assay.Facts) []assay.Note {
	var notes []assay.Note
	for _, path := range paths {
		over := Interface(ctx, at, path)
		if over == "" {
			continue
		}
		j := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == over })
		if j >= 0 && f.NICs[j].Speed > 0 {
			over += fmt.Sprintf(" (%g Gb/s, MTU %d)", f.NICs[j].Rate()/1e9, f.NICs[j].MTU)
		}
		notes = append(notes, assay.Note{ID: "drbd-network", Text: fmt.Sprintf("resource %s is replicated from %s to %s over %s", resource, path.Here, path.There, over)})
	}
	return notes
}

// Shared returns the name of the interface that all paths use, "" if they use several or it is
// unknown.
func Shared(ctx context.Context, at assay.Place, paths []Path) string {
	over := map[string]bool{}
	name := ""
	for _, p := range paths {
		name = Interface(ctx, at, p)
		over[name] = true
	}
	if len(over) != 1 {
		return ""
	}
	return name
}

// Interface returns the name of the interface that a path uses, "" if unknown.
func Interface(ctx context.Context, at assay.Place, path Path) string {
	text, err := Ask(ctx, at, "ip", "-o", "route", "get", path.There)
	if err != nil {
		return ""
	}
	words := strings.Fields(string(text))
	i := slices.Index(words, "dev")
	if i < 0 || i+1 >= len(words) {
		return ""
	}
	return words[i+1]
}
