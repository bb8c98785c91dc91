package session

import (
	"context"
	"fmt"

	"assay"
)

// leave ends the session and reports what could not be removed. A run with
// leftovers is partial.
func (s *Session) leave(ctx context.Context, measured *assay.Run) {
	err := s.Close(ctx)
	if err != nil {
		s.note(fmt.Sprintf("could not remove everything that the run created: %v", err))
		s.storeLeft(ctx, measured, err)
	}
	if jerr := s.disown(ctx); jerr != nil && (err != nil || s.options.Keep || s.deployment != nil) {
		s.note(fmt.Sprintf("cannot read the journal of what is left: %v", jerr))
	}
}

// disown lets the next cleanup have the run's remaining journal entries, though
// this process lives on, as a server does.
func (s *Session) disown(ctx context.Context) error {
	entries, err := s.store.Outstanding(ctx)
	for _, e := range entries {
		if e.Owner.Run == s.id {
			s.left = append(s.left, e.Receipt)
		}
	}
	if err != nil || len(s.left) == 0 {
		return err
	}
	return s.store.Disown(ctx, s.owner)
}

// storeLeft notes in the run, if it began, that something of it is left.
func (s *Session) storeLeft(ctx context.Context, measured *assay.Run, left error) {
	if measured.ID == "" {
		return
	}
	measured.Notes = append(measured.Notes, assay.Note{ID: assay.NoteLeft, Text: left.Error()})
	if measured.Status == assay.RunDone {
		measured.Status = assay.RunPartial
	}
	s.finish(ctx, *measured)
}

// Left returns what is left of the run after Run: what was to be kept, and what
// could not be removed. [Cleanup] removes it.
func (s *Session) Left() []assay.Receipt { return s.left }
