package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/store/pgtest"
)

func TestHasPassword(t *testing.T) {
	for where, want := range map[string]bool{
		"postgres://me@db/assay": false, "postgresql:///x?host=/run/postgresql": false, "/srv/a:b@c.db": false, "assay.db": false,
		"postgres://me:pw@db/assay": true, "postgres://me:@db/x": true, "postgresql://db/x?password=pw": true,
		"postgres://db/x?user=me&sslpassword=pw": true, "host=db password=pw dbname=x": true, "password = pw": true, "POSTGRES://me:pw@db/x": true, "postgres://me:p%zz@db/x": true, "postgres://db/x?PASSWORD=pw": true,
	} {
		if got := HasPassword(where); got != want {
			t.Errorf("%s: %v", where, got)
		}
	}
}

// clean drops this machine's PostgreSQL settings.
func clean(t *testing.T) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PG") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("PGPASSFILE", filepath.Join(t.TempDir(), "none"))
}

// Over a network, connections are verified unless the user opted out; nothing
// falls back to an unencrypted one by default.
func TestConnectionsAreVerified(t *testing.T) {
	clean(t)
	services := "[weak]\nhost=db.lan\nsslmode=disable\n[plain]\nhost=db.lan\n"
	file := filepath.Join(t.TempDir(), "services")
	must(t, os.WriteFile(file, []byte(services), 0o600))
	t.Setenv("PGSERVICEFILE", file)
	const verified, unverified, open = "verified", "unverified", "in the clear"
	for _, c := range []struct{ where, mode, want string }{
		{"postgres://me@db.lan/x", "", verified},
		{"postgres://me@db.lan/x?connect_timeout=3", "", verified},
		{"postgres://me@192.0.2.1/x", "", verified},
		{"postgres://me@db.lan/x?sslnegotiation=direct", "", verified},
		{"postgres://me@/x?host=/run/postgresql,db.lan", "", verified},
		{"postgres://me@db.lan/x?sslmode=require", "", unverified},
		{"postgres://me@db.lan/x?sslmode=disable", "", open},
		{"postgres://me@db.lan/x", "require", unverified},
		{"postgres:///x?service=weak", "", open},
		{"postgres:///x?service=plain", "", verified},
		{"postgres://me@localhost/x", "", open},
		{"postgres://me@[::1]/x", "", open},
		{"postgres:///x?host=/run/postgresql", "", open},
	} {
		t.Setenv("PGSSLMODE", c.mode)
		config, err := readURL(c.where)
		if err != nil {
			t.Errorf("%s: %v", c.where, err)
			continue
		}
		got := verified
		for _, way := range append(config.Fallbacks, nil) {
			tls, host := config.TLSConfig, config.Host
			if way != nil {
				tls, host = way.TLSConfig, way.Host
			}
			switch {
			case c.want == verified && isLocal(host):
			case tls == nil:
				got = open
			case tls.InsecureSkipVerify && got != open:
				got = unverified
			}
		}
		if got != c.want {
			t.Errorf("%s with PGSSLMODE=%s is %s, want %s", c.where, c.mode, got, c.want)
		}
	}
	for _, where := range []string{"postgres://me@db.lan/x#", "postgres://me@db.lan/x?a=b#c"} {
		if config, err := readURL(where); err == nil && mayBeUnverified(config) {
			t.Errorf("%s is not verified", where)
		}
	}
}

// Whatever the error, no message contains the password.
func TestNoMessageHasThePassword(t *testing.T) {
	clean(t)
	server := pgtest.Own(t, "password_encryption=scram-sha-256", "fsync=off")
	server.Exec(t, "postgres", `CREATE ROLE me LOGIN PASSWORD 'the/right one'`)
	server.Exec(t, "postgres", `CREATE DATABASE mine OWNER me`)
	hba := "local all assay trust\nlocal all all scram-sha-256\n"
	must(t, os.WriteFile(filepath.Join(server.Dir, "data", "pg_hba.conf"), []byte(hba), 0o600))
	server.Exec(t, "postgres", `SELECT pg_reload_conf()`)
	as := func(who string) string { return strings.Replace(server.URL("mine"), "assay@", who+"@", 1) }
	for _, where := range []string{
		as("me:the%2Fwrong%20one"),
		as("me") + "&password=the%2Fwrong%20one",
		as("nobody:the%2Fwrong%20one"),
		as("me:the%2Fwrong%20one") + "&port=wrong",
		as("me:the/wrong one"),
		"postgres://me:the%2Fwrong%20one@db.invalid/x?sslmode=none",
		"postgres://me:the%2Fwrong%20one@127.0.0.1:1/x?options=the/wrong%20one",
	} {
		s, err := Open(context.Background(), where)
		if err == nil {
			s.Close()
			t.Fatalf("%s opened", where)
		}
		told := fmt.Sprintf("%v\n%s", err, assay.Hint(err))
		for _, form := range []string{"the/wrong", "the%2Fwrong", "wrong one", "wrong%20one"} {
			if strings.Contains(told, form) {
				t.Errorf("%s is told: %s", where, told)
			}
		}
		if assay.Hint(err) == "" {
			t.Errorf("%s: %v has no hint", where, err)
		}
	}
	// The right one, from the URL or the environment, opens it and appears in no
	// name.
	for _, where := range []string{as("me:the%2Fright%20one"), as("me")} {
		t.Setenv("PGPASSWORD", "the/right one")
		s := reopen(t, where)
		if name := s.dialect.name(); strings.Contains(name, "right") || !strings.HasPrefix(name, "postgres://me@/mine?host=") {
			t.Errorf("it is called %s", name)
		}
		err := s.Begin(context.Background(), assay.Run{})
		if err == nil || errors.Is(err, ErrRefused) {
			t.Errorf("a run with no id: %v", err)
		}
	}
}
