package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
	"assay/store/pgtest"
	"assay/store/storetest"
)

func TestAnyTextFitsIntoPostgreSQL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		if got := fromText(toText(want)); got != want {
			t.Fatalf("%q became %q, and that %q", want, toText(want), got)
		}
		if strings.Contains(toText(want), "\x00") || strings.ToValidUTF8(toText(want), "?") != toText(want) {
			t.Fatalf("%q is nothing that PostgreSQL keeps", toText(want))
		}
	})
	s, ctx := onServer.fresh(t), context.Background()
	r := repeatNumber(1)
	r.Error, r.Hint, r.Measurements[0].Metric = "a\x00b\xff\x0100\x01", "\xf0\x9f", "m\x00"
	run := small("r", time.Unix(1, 0).UTC())
	run.Results[0].Repeats = []assay.Repeat{r}
	must(t, keep(ctx, s, run))
	if diff := lost(ctx, s, run); diff != "" {
		t.Error(diff)
	}
}

func TestTranslate(t *testing.T) {
	for query, want := range map[string]string{
		`SELECT ?, ?`:                      `SELECT $1, $2`,
		`SELECT ?1 WHERE x = ?1 OR y = ?2`: `SELECT $1 WHERE x = $1 OR y = $2`,
		`SELECT '?', "a?", 'it''s ?', ?`:   `SELECT '?', "a?", 'it''s ?', $1`,
	} {
		if got := translate(query); got != want {
			t.Errorf("%s became %s, want %s", query, got, want)
		}
	}
}

// away is an owner on another machine, about which nothing can be known here.
var away = Owner{PID: 1 << 30, Start: "1", Boot: "another-boot", Machine: "0123456789abcdef/laptop2"}

// What belongs to a process on another machine is left alone, alive or not; what
// this machine left from before its last boot is taken over.
func TestOwnersOnOtherMachines(t *testing.T) {
	s, ctx := onServer.fresh(t), context.Background()
	mine, err := s.self("mine")
	must(t, err)
	before := mine
	before.Boot, before.Run = "before-the-boot", "before"
	for id, o := range map[string]Owner{"theirs": away, "before": before} {
		o.Run = id
		must(t, s.Begin(ctx, assay.Run{ID: id, Started: time.Unix(1, 0)}))
		_, err := s.writer.Exec(`UPDATE run SET owner_pid = ?, owner_start = ?, owner_boot = ? WHERE id = ?`, o.PID, o.Start, o.boot(), id)
		must(t, err)
		must(t, s.Journal(ctx, assay.Receipt{ID: "lent to " + id}, o))
		must(t, s.Claim(ctx, "host-"+id, o, Alive))
	}
	left, err := s.Outstanding(ctx)
	must(t, err)
	for _, e := range left {
		if want := e.Owner.Run == "theirs"; Alive(e.Owner) != want {
			t.Errorf("the receipt of %+v counts as alive: %v", e.Owner, !want)
		}
	}
	if len(left) != 2 {
		t.Errorf("outstanding: %+v", left)
	}
	for what, f := range map[string]func(run string) error{
		"delete": func(run string) error { return s.Delete(ctx, run) },
		"reopen": func(run string) error { return s.Reopen(ctx, run, nil) },
		"claim":  func(run string) error { return s.Claim(ctx, "host-"+run, mine, Alive) },
	} {
		err := f("theirs")
		if !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "on laptop2") || assay.Hint(err) == "" {
			t.Errorf("%s of another machine's: %v (hint %q)", what, err, assay.Hint(err))
		}
	}
	must(t, s.Claim(ctx, "host-before", mine, Alive))
	must(t, s.Reopen(ctx, "before", nil))
	if _, err := s.Compact(ctx); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("compact while another machine measures: %v", err)
	}
	runs, err := s.Runs(ctx)
	must(t, err)
	theirs := away
	theirs.Run = "theirs"
	for _, r := range runs {
		if want := map[string]Owner{"theirs": theirs, "before": {PID: mine.PID, Start: mine.Start, Boot: mine.Boot, Machine: mine.Machine, Run: "before"}}[r.ID]; r.Owner != want {
			t.Errorf("%s is owned by %+v, want %+v", r.ID, r.Owner, want)
		}
	}
}

// In a file, another boot is an earlier one: a file belongs to one machine.
func TestOwnersInAFileAreOfThisMachine(t *testing.T) {
	s, ctx := fresh(t), context.Background()
	o := away
	must(t, s.Claim(ctx, "alpha", o, Alive))
	mine, err := Self("mine")
	must(t, err)
	must(t, s.Claim(ctx, "alpha", mine, Alive))
	must(t, s.Claim(ctx, "alpha", mine, Alive)) // claiming again is a no-op
	must(t, s.Unclaim(ctx, "alpha", mine))
	if n := rowsOf(t, s, "claim"); n != 0 {
		t.Errorf("%d claims are left", n)
	}
}

// If many claim a host at once, each over its own connection, exactly one gets
// it.
func TestOneOfManyClaims(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		where, ctx := at.empty(t), context.Background()
		for round := range 5 {
			var wg sync.WaitGroup
			var mu sync.Mutex
			won := 0
			for i := range 6 {
				s := reopen(t, where)
				wg.Go(func() {
					o := Owner{PID: i, Start: "s", Boot: "b", Run: "r"}
					switch err := s.Claim(ctx, fmt.Sprint("host-", round), o, func(Owner) bool { return true }); {
					case err == nil:
						mu.Lock()
						won++
						mu.Unlock()
					case !errors.Is(err, assay.ErrBusy):
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if won != 1 {
				t.Errorf("%d have the host", won)
			}
		}
	})
}

func TestPostgreSQLSaysWhatIsWrong(t *testing.T) {
	server := pgtest.Shared(t)
	where := func(t *testing.T, statements ...string) string {
		u := server.Database(t)
		for _, s := range statements {
			server.Exec(t, databaseOf(t, u), s)
		}
		return u
	}
	server.Exec(t, "postgres", `CREATE ROLE weak LOGIN`)
	server.Exec(t, "postgres", `CREATE DATABASE latin ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
	for _, c := range []struct {
		name, where string
		want        error
		says        string // in the message or hint
	}{
		{"another program's schema", where(t, `CREATE SCHEMA assay; CREATE TABLE assay.bookmark (url TEXT)`), ErrNotDatabase, "another program"},
		{"a newer schema", where(t, `CREATE SCHEMA assay; CREATE TABLE assay.schema_version (version INT); INSERT INTO assay.schema_version VALUES (70)`), ErrNewer, fmt.Sprintf("has schema 70, this assay supports %d", len(shippedPostgres))},
		{"no such database", server.URL("nowhere"), ErrNotDatabase, "createdb nowhere"},
		{"no such server", "postgres://assay@/x?host=" + url.QueryEscape(t.TempDir()), ErrUnreachable, "pg_isready -h"},
		{"no such role", strings.Replace(server.URL("postgres"), "assay@", "nobody@", 1), ErrRefused, "PGPASSWORD"},
		{"no rights", strings.Replace(where(t), "assay@", "weak@", 1), assay.ErrReadOnly, `OWNER TO "weak"`},
		{"read only", where(t) + "&default_transaction_read_only=on", assay.ErrReadOnly, "standby"},
		{"an encoding that lacks letters", server.URL("latin"), ErrNotDatabase, "--encoding=UTF8"},
		{"no URL", "postgres://assay@host:port/x", ErrURL, "postgres://USER@HOST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Open(context.Background(), c.where)
			if err == nil {
				s.Close()
				t.Fatal("it opened")
			}
			if !errors.Is(err, c.want) || !strings.Contains(err.Error()+"\n"+assay.Hint(err), c.says) || assay.Hint(err) == "" {
				t.Errorf("%v (hint %q), want %q and %q", err, assay.Hint(err), c.want, c.says)
			}
		})
	}
	// Unrelated tables do not matter, whatever their schema.
	s := reopen(t, where(t, `CREATE TABLE run (x INT); CREATE TABLE bookmark (url TEXT)`))
	must(t, keep(context.Background(), s, small("r", time.Now())))
}

func databaseOf(t *testing.T, where string) string {
	t.Helper()
	u, err := url.Parse(where)
	must(t, err)
	return strings.TrimPrefix(u.Path, "/")
}

func TestPostgreSQLIsBroughtForward(t *testing.T) {
	where, ctx := onServer.empty(t), context.Background()
	run := small("r", time.Now().UTC())
	s := reopen(t, where)
	must(t, keep(ctx, s, run))
	d, err := newPostgres(where)
	must(t, err)
	next := migration{"next.sql", `ALTER TABLE run ADD COLUMN tag TEXT NOT NULL DEFAULT 'none'`}
	steps := append(shippedPostgres[:len(shippedPostgres):len(shippedPostgres)], next)
	d.steps = append(steps, migration{"bad.sql", `CREATE TABLE extra (x INT); INSERT INTO nowhere VALUES (1)`})
	if _, err := open(ctx, d); err == nil || !strings.Contains(err.Error(), "bad.sql") {
		t.Errorf("a wrong migration: %v", err)
	}
	if _, err := s.reader.Exec(`SELECT tag FROM run`); err == nil {
		t.Error("a migration that failed left something")
	}
	d.steps = steps
	newer, err := open(ctx, d)
	must(t, err)
	defer newer.Close()
	if diff := lost(ctx, newer, run); diff != "" {
		t.Error(diff)
	}
	if _, err := Open(ctx, where); !errors.Is(err, ErrNewer) {
		t.Errorf("the older binary says %v", err)
	}
}

// Sessions on a lax server are strict all the same, and do not wait for ever.
func TestSessionsOfPostgreSQLAreBounded(t *testing.T) {
	s := reopen(t, onServer.empty(t)+"&synchronous_commit=off&search_path=elsewhere")
	for name, want := range map[string]string{
		"synchronous_commit": "on", "search_path": "assay", "lock_timeout": "20s", "statement_timeout": "30s",
		"idle_in_transaction_session_timeout": "1min", "application_name": "assay",
	} {
		var got string
		must(t, s.writer.QueryRow("SELECT current_setting(?)", name).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Partial reads give the same from both, and so do SQL queries.
func TestBothGiveTheSameParts(t *testing.T) {
	file, server, ctx := fresh(t), onServer.fresh(t), context.Background()
	part := Part{Metrics: func(name string) bool { return strings.HasPrefix(name, "storage.read.") }, Series: true}
	count := 0
	rapid.Check(t, func(rt *rapid.T) {
		count++
		run := storetest.AnyRun(rt, fmt.Sprint("run-", count))
		for i := range run.Results {
			for n := range run.Results[i].Repeats {
				for k := range run.Results[i].Repeats[n].Measurements {
					if rapid.Bool().Draw(rt, "wanted") {
						run.Results[i].Repeats[n].Measurements[k].Metric = "storage.read.x"
					}
				}
			}
		}
		var got [2][]*assay.Run
		for i, s := range []*Store{file, server} {
			err := s.Import(ctx, run)
			if err == nil {
				got[i], err = s.LoadParts(ctx, []string{run.ID}, part)
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			rt.Fatal(diff)
		}
	})
	var heads [2][]Summary
	var sizes [2]int64
	var names [2][]string
	for i, s := range []*Store{file, server} {
		var err error
		heads[i], err = s.Heads(ctx)
		must(t, err)
		names[i], err = s.Metrics(ctx)
		must(t, err)
		sizes[i], err = s.Size(ctx, "run-1")
		must(t, err)
	}
	if diff := cmp.Diff(heads[0], heads[1]); diff != "" || len(heads[0]) != count {
		t.Error(diff)
	}
	if diff := cmp.Diff(names[0], names[1]); diff != "" {
		t.Error(diff)
	}
	if sizes[0] <= 0 || sizes[1] < sizes[0]/2 || sizes[1] > 2*sizes[0] {
		t.Errorf("run-1 has %d bytes in a file, %d on the server", sizes[0], sizes[1])
	}
	var value float64
	var direct string
	must(t, keep(ctx, server, small("r", time.Now())))
	must(t, server.reader.QueryRow(`SELECT value, labels::json ->> 'direct' FROM measurement
		WHERE metric = 'storage.read.latency.mean' AND run = 'r'`).Scan(&value, &direct))
	if value != 2e-6 || direct != "1" {
		t.Errorf("got %v and %q", value, direct)
	}
}
