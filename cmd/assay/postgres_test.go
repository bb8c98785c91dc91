package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/store/pgtest"
)

// TestPostgreSQL runs testdata/postgres/*.txtar, with a server that has two empty
// databases, TEAM and SECOND, and another that has LOST and that stop-server ends.
func TestPostgreSQL(t *testing.T) {
	t.Parallel()
	server, lost := pgtest.Own(t, "fsync=off"), pgtest.Own(t, "fsync=off")
	recordings, err := filepath.Abs("testdata/recordings")
	if err != nil {
		t.Fatal(err)
	}
	// A group: scripts run in parallel, and the server must outlive them.
	t.Run("scripts", func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir:                 "testdata/postgres",
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			Setup: func(env *testscript.Env) error {
				env.Setenv("TEAM", server.Database(t))
				env.Setenv("SECOND", server.Database(t))
				env.Setenv("LOST", lost.URL("postgres"))
				return sandbox(env, recordings)
			},
			Condition: condition,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits": cmdExits, "plain": cmdPlain, "json": cmdJSON,
				"await": cmdAwait, "empty": cmdEmpty,
				"stop-server": func(*testscript.TestScript, bool, []string) { lost.Stop() },
			},
		})
	})
}
