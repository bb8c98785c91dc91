package assay

import "context"

// What a Volume may also be.

// Sharer is a Volume whose spaces are on the same storage whichever host they are lent
// to, and fill up only while they are measured: each may take its share of the free
// space there.
type Sharer interface {
	Volume
	// Shares returns the storage that a subject's space is on.
	Shares(s Subject) string
}

// Turner is a Volume that can set a Way on what it has already lent, and reset it while
// that stays lent. All ways of something that cannot be lent twice at once, such as a
// drive, are measured like this (see Subject.Turns).
type Turner interface {
	Volume
	// ReserveTurn reads what a turn to want.Way will change in what lent names, and returns
	// a receipt for that change alone. It changes nothing. It wraps ErrNotSupported if
	// there is no such setting.
	ReserveTurn(ctx context.Context, at Place, lent Receipt, want Request) (Receipt, error)
	// Turn makes the change and verifies it; it wraps ErrNotSupported if the change is
	// refused. Release undoes it.
	Turn(ctx context.Context, at Place, r Receipt) error
}

// Spread is a Volume that creates part of what it lends on hosts besides the one that
// measures it. Receipt.Also names them.
type Spread interface {
	Volume
	// Among returns the volume with access to all hosts, by name. Only that volume can
	// Reserve, Lend and Release.
	Among(hosts map[string]Place) Volume
}

// Holder is a Volume that keeps everybody else off what it lent, until Release.
type Holder interface {
	Volume
	// Renew is called before each repeat. If what r names is no longer held, because
	// contact with its host was lost, Renew checks it again and holds it again. After an
	// error other than ErrHostGone, nothing may be written to it any more.
	Renew(ctx context.Context, at Place, r Receipt) error
}

// Rechecker is a Volume that can tell whether what it lent stayed the same.
type Rechecker interface {
	// Recheck returns what has changed since Reserve, other than by Lend: a setting that
	// somebody else set, a rebuild that began. It is called once, after the last repeat
	// and before Release, and changes nothing.
	Recheck(ctx context.Context, at Place, r Receipt) ([]Note, error)
}
