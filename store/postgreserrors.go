package store

import (
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"assay"
)

// The PostgreSQL error codes that the store distinguishes, see its manual,
// appendix A.
const (
	uniqueViolation     = "23505"
	foreignKeyViolation = "23503"
	noSuchDatabase      = "3D000"
	notAllowed          = "42501"
	noSuchTable         = "42P01"
	noSuchColumn        = "42703"
	readOnly            = "25006"
	lockTimeout         = "55P03"
	statementTimeout    = "57014"
	tooManyConnections  = "53300"
)

// stateOf returns the code of a server error, or "".
func stateOf(err error) string {
	var from *pgconn.PgError
	if errors.As(err, &from) {
		return from.Code
	}
	return ""
}

func (d postgres) explain(err error) (hint, text string, kind error) {
	text = d.conceal(strings.Join(strings.Fields(err.Error()), " "))
	if code := stateOf(err); code != "" {
		hint, kind = d.classify(code)
		return hint, text, kind
	}
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case isTLS(err):
		hint = "install a valid certificate on the server (ssl = on), name its CA with sslrootcert=FILE, or choose another sslmode in the URL"
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		pgconn.SafeToRetry(err), errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, net.ErrClosed):
		hint = "check that it runs and can be reached from here: " + d.ask()
	default:
		return "", text, nil
	}
	return hint, text, ErrUnreachable
}

// classify returns the sentinel for a code, and what to try.
func (d postgres) classify(code string) (hint string, kind error) {
	switch code {
	case noSuchDatabase:
		return "create it, as a user with the right to: createdb " + d.config.Database, ErrNotDatabase
	case notAllowed:
		return fmt.Sprintf(
			"let an administrator of the database say: CREATE SCHEMA IF NOT EXISTS assay; ALTER SCHEMA assay OWNER TO %[1]s; "+
				"or, where it is another user's: GRANT USAGE ON SCHEMA assay TO %[1]s; GRANT ALL ON ALL TABLES IN SCHEMA assay TO %[1]s",
			pgx.Identifier{d.config.User}.Sanitize()), assay.ErrReadOnly
	case readOnly:
		return "it is a standby or set to read-only: name the primary with --db", assay.ErrReadOnly
	case lockTimeout:
		return fmt.Sprintf("another process has been writing for more than %v: pg_stat_activity shows it", patience), assay.ErrBusy
	case statementTimeout:
		return fmt.Sprintf("the server took longer than %v: check its load and its disk", writing), assay.ErrBusy
	case noSuchTable, noSuchColumn:
		return unreleased, ErrDamaged
	case tooManyConnections:
		return "raise max_connections on the server, or close connections: pg_stat_activity shows them", assay.ErrBusy
	}
	switch code[:2] {
	case "08", "57": // connection exceptions; the server shuts down or starts up
		return "check that the server runs and can be reached from here: " + d.ask(), ErrUnreachable
	case "28":
		return "set the password in PGPASSWORD, ~/.pgpass or a service (PGSERVICE), or check the server's pg_hba.conf", ErrRefused
	case "53": // no space on disk, out of memory
		return "free some space on the server; data stored earlier is safe", ErrFull
	case "XX":
		return d.recovery(), ErrDamaged
	}
	return "", nil
}

func (d postgres) recovery() string {
	return "check the server's log, and restore the database from a backup"
}

// ask returns the command that checks whether the server answers.
func (d postgres) ask() string {
	return fmt.Sprintf("pg_isready -h %s -p %d", d.config.Host, d.config.Port)
}

func isTLS(err error) bool {
	var unknown x509.UnknownAuthorityError
	var wrong x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &unknown) || errors.As(err, &wrong) || errors.As(err, &invalid) || errors.As(err, &verify) ||
		errors.As(err, &record) || strings.Contains(err.Error(), "server refused TLS connection")
}

// conceal removes the password from a text, in every form it may have in a URL.
func (d postgres) conceal(text string) string {
	for _, secret := range []string{d.config.Password, url.QueryEscape(d.config.Password), url.PathEscape(d.config.Password)} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}
