package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"assay"
)

// Resolve returns the id of the run that name refers to: for "" and assay.LatestRun the newest
// readable run that has its turn (see InTurn), else the run with that id, else the run given
// that name, else the only run whose id begins with it. Any other name gives assay.ErrNotFound
// with a hint that lists the nearest.
func (s *Store) Resolve(ctx context.Context, name string) (string, error) {
	var found []head
	var named []Pin
	err := s.read(ctx, "find run "+name, func(tx *sql.Tx) (err error) {
		if found, err = heads(ctx, tx); err != nil {
			return err
		}
		named, err = pins(ctx, tx)
		return err
	})
	if err != nil {
		return "", err
	}
	id, err := resolve(name, found, named, time.Now())
	for _, one := range found {
		switch {
		case one.unreadable == nil:
		case name == "" || name == assay.LatestRun: // it might be the latest
			s.skip(ctx, one.ID, one.unreadable)
		case one.ID == id:
			return "", unreadable(id, one.unreadable)
		}
	}
	return id, err
}

func resolve(name string, heads []head, named []Pin, now time.Time) (string, error) {
	if len(heads) == 0 {
		return "", assay.WithHint("start one with `assay run`", "no runs stored yet: %w", assay.ErrNotFound)
	}
	ids := make([]string, len(heads))
	for i, one := range heads {
		ids[i] = one.ID
	}
	if name == "" || name == assay.LatestRun {
		i := slices.IndexFunc(heads, func(one head) bool { return one.unreadable == nil && one.InTurn(now) })
		if i < 0 {
			return "", assay.WithHint("name one: "+list(ids), "no run was measured here, and imported ones never are the latest: %w", assay.ErrNotFound)
		}
		return ids[i], nil
	}
	if slices.Contains(ids, name) {
		return name, nil
	}
	near := slices.Clone(ids)
	for _, p := range named {
		if p.Name == name {
			return p.Run, nil
		}
		near = append(near, p.Name)
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, name) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", assay.WithHint("the nearest: "+list(nearest(name, near)), "run %q: %w", name, assay.ErrNotFound)
	default:
		return "", assay.WithHint("use more characters: "+list(found),
			"run %q matches %d runs: %w", name, len(found), assay.ErrNotFound)
	}
}

// nearest sorts ids by the length of the prefix they share with name, longest
// first.
func nearest(name string, ids []string) []string {
	near := slices.Clone(ids)
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Compare(shared(b, name), shared(a, name))
	})
	return near
}

func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// list joins the first few ids.
func list(ids []string) string {
	const few = 5
	if len(ids) > few {
		return strings.Join(ids[:few], ", ") + ", …"
	}
	return strings.Join(ids, ", ")
}
