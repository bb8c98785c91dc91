package store

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"assay"
	"assay/internal/lazyregexp"
)

// ErrURL means that a URL does not name a database.
var ErrURL = errors.New("not the URL of a database")

// HasPassword reports whether a URL or connection string contains a password, or cannot be
// parsed and may contain one. Such a URL does not belong on a command line.
func HasPassword(where string) bool {
	if !IsURL(where) {
		return dsnPassword.MatchString(where)
	}
	u, err := url.Parse(where)
	if err != nil {
		return true
	}
	_, has := u.User.Password()
	for key := range u.Query() {
		has = has || strings.HasSuffix(strings.ToLower(key), "password")
	}
	return has
}

// dsnPassword matches a password in libpq's other format, keyword=value pairs,
// which is not a URL and would be taken for a file name.
var dsnPassword = lazyregexp.New(`(?i)(^|\s)(ssl|pg)?password\s*=`)

// readURL accepts what libpq does: the URL, the variables PGHOST, PGPASSWORD,
// PGSERVICE and so on, ~/.pgpass and ~/.pg_service.conf. It differs in one
// thing: unless the user says otherwise, a server reached over a network must
// present a valid certificate (sslmode=verify-full), and there is no fallback
// to an unencrypted connection.
func readURL(where string) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(where)
	if err == nil && !saysTLS(where) && mayBeUnverified(c) {
		mark := "?"
		if strings.Contains(where, "?") {
			mark = "&"
		}
		if c, err = pgx.ParseConfig(where + mark + "sslmode=verify-full"); err == nil && mayBeUnverified(c) {
			return nil, assay.WithHint("set sslmode=verify-full in the URL, as in "+urlForm, "its connection would not be verified: %w", ErrURL)
		}
	}
	if err != nil {
		return nil, urlError(where, err)
	}
	return c, nil
}

const urlForm = "postgres://USER@HOST/DATABASE?sslrootcert=/etc/ssl/ca.pem"

// saysTLS reports whether the user has chosen how the connection is protected.
func saysTLS(where string) bool {
	if os.Getenv("PGSSLMODE") != "" {
		return true
	}
	u, err := url.Parse(where)
	return err == nil && (u.Query().Has("sslmode") || u.Query().Has("ssl"))
}

// mayBeUnverified reports whether the server might go unverified without the
// user having chosen that. A service may have made that choice: of libpq's
// modes, only the default tries TLS first and then none.
func mayBeUnverified(c *pgx.ConnConfig) bool {
	ways := []*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}
	ways = append(ways, c.Fallbacks...)
	chosen := os.Getenv("PGSERVICE") != "" || strings.Contains(c.ConnString(), "service=")
	for i, way := range ways {
		switch {
		case isLocal(way.Host):
		case way.TLSConfig == nil && chosen:
			before := i > 0 && ways[i-1].Host == way.Host && ways[i-1].TLSConfig != nil
			if before {
				return true
			}
		case way.TLSConfig == nil:
			return true
		case chosen && !isDirect(way.TLSConfig):
		case way.TLSConfig.InsecureSkipVerify && way.TLSConfig.VerifyPeerCertificate == nil:
			return true
		}
	}
	return false
}

// isDirect reports sslnegotiation=direct, which by default does not verify.
func isDirect(c *tls.Config) bool { return slices.Contains(c.NextProtos, "postgresql") }

// isLocal reports whether the host is reached without a network.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return isSocket(host) || host == "localhost" || ip != nil && ip.IsLoopback()
}

func isSocket(host string) bool { return strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") }

// urlError describes what is wrong with a URL without repeating it: one that
// cannot be parsed may have a password anywhere.
func urlError(where string, err error) error {
	hint := "as in " + urlForm
	u, perr := url.Parse(where)
	cause := errors.Unwrap(err)
	if perr != nil || HasPassword(where) || cause == nil {
		return assay.WithHint(hint, "--db or ASSAY_DB: %w", ErrURL)
	}
	return assay.WithHint(hint, "database %s: %w (%v)", u.Redacted(), ErrURL, cause)
}
