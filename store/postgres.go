package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"assay"
)

// Limits on how long a server may take: a longer wait is an error, not a hang.
const (
	connecting = 10 * time.Second // if the URL sets no connect_timeout
	writing    = 30 * time.Second // one writer statement, as timed by the server; more than patience
	pausing    = time.Minute      // an idle write transaction: its lock blocks other writers
	silence    = 45 * time.Second // without a byte from the server while a reply is due
)

// Settings of each session. Every query looks in the store's schema first,
// whatever search_path is set elsewhere.
var (
	ofBoth   = map[string]string{"search_path": "assay", "application_name": "assay"}
	ofWriter = map[string]string{
		"lock_timeout":                        milliseconds(patience),
		"statement_timeout":                   milliseconds(writing),
		"idle_in_transaction_session_timeout": milliseconds(pausing),
		"synchronous_commit":                  "on", // whatever the server's default: acknowledged means on its disk
	}
)

// postgres is a database on a server, in the schema "assay".
type postgres struct {
	config  *pgx.ConnConfig
	steps   []migration
	silence func() time.Duration // called anew for each reply
}

func newPostgres(where string) (postgres, error) {
	config, err := readURL(where)
	return postgres{config, shippedPostgres, func() time.Duration { return silence }}, err
}

// name returns a URL that opens the same database if the password comes from
// elsewhere.
func (d postgres) name() string {
	c := d.config
	u := url.URL{Scheme: "postgres", User: url.User(c.User), Path: "/" + c.Database}
	port := strconv.Itoa(int(c.Port))
	if isSocket(c.Host) {
		u.RawQuery = "host=" + (&url.URL{Path: c.Host}).EscapedPath()
		if c.Port != 5432 {
			u.RawQuery += "&port=" + port
		}
		return u.String()
	}
	u.Host = net.JoinHostPort(c.Host, port)
	if c.Port == 5432 {
		u.Host = strings.TrimSuffix(u.Host, ":5432")
	}
	return u.String()
}

func (d postgres) shared() bool { return true }

func (d postgres) reading() *sql.TxOptions {
	return &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}
}

func (d postgres) connect() (writer, reader *sql.DB, err error) {
	gate := new(gate)
	writer = sql.OpenDB(connector{d.session(ofWriter), gate})
	writer.SetMaxOpenConns(1)
	reader = sql.OpenDB(connector{d.session(nil), gate})
	reader.SetMaxOpenConns(4)
	for _, db := range []*sql.DB{writer, reader} {
		// A repeat takes minutes: a connection that a firewall has dropped
		// meanwhile is not reused.
		db.SetConnMaxIdleTime(time.Minute)
	}
	return writer, reader, nil
}

// session returns the configuration with the settings of a session.
func (d postgres) session(more map[string]string) *pgx.ConnConfig {
	c := d.config.Copy()
	maps.Copy(c.RuntimeParams, ofBoth)
	maps.Copy(c.RuntimeParams, more)
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connecting
	}
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &bounded{Conn: conn, silence: d.silence}, nil
	}
	return c
}

// turn takes the lock that all writers share, whatever they write: write
// transactions run one after the other, as in SQLite, and none sees half of
// another. The server releases it when the transaction or the connection ends.
func (d postgres) turn(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(?)`, application)
	return err
}

func (d postgres) prepare(ctx context.Context, conn *sql.Conn) error {
	version, err := d.version(ctx, conn)
	if err != nil || version == len(d.steps) {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := d.turn(ctx, tx); err != nil {
		return err
	}
	// Another process may have done it between the first check and the lock.
	if version, err = d.version(ctx, tx); err != nil {
		return err
	}
	if version == 0 {
		if err := d.create(ctx, tx); err != nil {
			return err
		}
	}
	if err := apply(ctx, tx, d.steps[version:]); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE schema_version SET version = ?`, len(d.steps)); err != nil {
		return err
	}
	return tx.Commit()
}

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version returns the number of the existing schema, 0 for none, or an error if
// it cannot be used.
func (d postgres) version(ctx context.Context, q querier) (version int, err error) {
	var encoding string
	var objects, known int
	err = q.QueryRowContext(ctx, `
		SELECT current_setting('server_encoding'),
		       (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('assay')),
		       (SELECT count(*) FROM pg_class WHERE oid = to_regclass('assay.schema_version'))`).Scan(&encoding, &objects, &known)
	switch {
	case err != nil:
		return 0, err
	case encoding != "UTF8" && encoding != "SQL_ASCII":
		return 0, assay.WithHint("create one with: createdb --encoding=UTF8 --template=template0 NAME",
			"database %s cannot store all text because its encoding is %s: %w", d.name(), encoding, ErrNotDatabase)
	case objects > 0 && known == 0:
		return 0, assay.WithHint("choose another database with --db: other schemas in it do not matter",
			"database %s has a schema \"assay\" of another program: %w", d.name(), ErrNotDatabase)
	case known == 0:
		return 0, nil
	}
	if err := q.QueryRowContext(ctx, `SELECT version FROM schema_version`).Scan(&version); err != nil {
		return 0, err
	}
	if version > len(d.steps) {
		return 0, assay.WithHint("upgrade assay, or choose another database with --db",
			"database %s has schema %d, this assay supports %d: %w", d.name(), version, len(d.steps), ErrNewer)
	}
	return version, nil
}

// create creates the schema, unless an administrator already did for a user who
// may not.
func (d postgres) create(ctx context.Context, tx *sql.Tx) error {
	var there bool
	if err := tx.QueryRowContext(ctx, `SELECT to_regnamespace('assay') IS NOT NULL`).Scan(&there); err != nil {
		return err
	}
	if !there {
		if _, err := tx.ExecContext(ctx, `CREATE SCHEMA assay`); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (0)`)
	return err
}

// compact does nothing: VACUUM FULL would lock everybody out, and autovacuum
// does what plain VACUUM does.
func (d postgres) compact(context.Context, *sql.DB) (int64, error) {
	return 0, assay.WithHint("an administrator can shrink its files with VACUUM FULL", "database %s: %w", d.name(), ErrNoCompact)
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }
