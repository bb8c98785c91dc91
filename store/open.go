package store

import "context"

// Open opens the database at where and brings it to this binary's schema.
//
// A path is an SQLite file, created if missing (0600, in a directory that is made
// 0700 if need be). A URL (postgres://user@host/database) is a PostgreSQL
// database, in which missing tables are created: see the package's comment.
//
// Its errors match ErrNewer, ErrDamaged, ErrNotDatabase, ErrFull, ErrUnreachable,
// ErrRefused, assay.ErrReadOnly or assay.ErrBusy and carry a hint. None of them
// contains a password.
func Open(ctx context.Context, where string) (*Store, error) {
	d, err := dialectOf(where)
	if err != nil {
		return nil, err
	}
	return open(ctx, d)
}

func open(ctx context.Context, d dialect) (*Store, error) {
	s := &Store{dialect: d}
	var err error
	if s.writer, s.reader, err = d.connect(); err != nil {
		return nil, s.explain("open", err)
	}
	if err := s.prepare(ctx); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		err = s.explain("open", err)
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return s.dialect.prepare(ctx, conn)
}
