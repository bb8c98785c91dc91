package all_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/yamldoc"
	"assay/inventory/cluster"
	"assay/place/local"
	"assay/plan"
	"assay/plan/suite"
	"assay/report"
	"assay/run"
	"assay/run/tiers"
	"assay/store"
	"assay/volume"
	"assay/volume/all"
)

// shelf is a kind of storage known nowhere else. This file has all of it: what it
// takes to add a kind.
func shelf() volume.Kind {
	return volume.Kind{
		Word: "shelf",
		Schema: `{
  "description": "boards on a wall",
  "type": "object",
  "additionalProperties": false,
  "required": ["wall"],
  "properties": {"wall": {"description": "what they hang on", "type": "string"}, "boards": {"description": "how many", "$ref": "#/$defs/Word"}}
}`,
		Where:  volume.Where{Hosts: true, Here: true},
		New:    func() volume.Storage { return new(boards) },
		Volume: func() assay.Volume { return shelves{} },
	}
}

const kindShelf assay.SubjectKind = "shelf"

// boards are a tier's settings of a shelf.
type boards struct {
	Wall   yamldoc.Path  `yaml:"wall"`
	Boards yamldoc.Label `yaml:"boards"`
}

func (b *boards) Validate() error {
	if b.Wall == "" {
		return errors.New("wall: is missing")
	}
	return nil
}

func (b *boards) Settings() map[string]string {
	return map[string]string{"wall": string(b.Wall), "boards": string(b.Boards)}
}

func (b *boards) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: kindShelf, Name: string(b.Wall), Params: map[string]string{"boards": string(b.Boards)}}, nil
}

func (b *boards) Check(context.Context, volume.Clients) volume.Checkup {
	if _, err := os.Stat(string(b.Wall)); err != nil {
		return volume.Checkup{Err: err}
	}
	return volume.Checkup{Checked: []string{"the wall"}, Unasked: []string{"what the boards carry"}}
}

// shelves lends a place on a shelf.
type shelves struct{}

func (shelves) Kind() string { return "shelf" }

func (shelves) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if s.Params["boards"] == "" {
		return assay.Receipt{}, errors.New("a shelf without boards")
	}
	return assay.Receipt{ID: want.ID, Volume: "shelf", Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: map[string]string{"board": filepath.Join(s.Name, "board-"+want.ID)}}, nil
}

func (shelves) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	board := r.Names["board"]
	_, err := at.Run(ctx, assay.Cmd{Argv: []string{"mkdir", board}})
	return assay.Scratch{Dir: board, File: filepath.Join(board, "data"), Bytes: r.Bytes}, err
}

func (shelves) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	_, err := at.Run(ctx, assay.Cmd{Argv: []string{"rm", "-rf", r.Names["board"]}})
	return err
}

// scribble is a probe of shelves.
type scribble struct{}

func (scribble) Spec() assay.Spec { return assay.Spec{Name: "scribble"} }

func (scribble) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	var all []assay.Trial
	for _, s := range inv.Of(c.On) {
		all = append(all, assay.Trial{ID: "scribble/" + c.Name + "@" + s.ID, Probe: "scribble", Case: c.Name, Title: c.Title, Subject: s,
			Risk: assay.Writes, Scratch: 1 << 20, Volume: s.Volume, Overhead: time.Millisecond})
	}
	return all, nil
}

func (scribble) Run(ctx context.Context, _ assay.Trial, on assay.Bench) (assay.Transcript, error) {
	c := assay.Cmd{Argv: []string{"sh", "-c", `echo words >"$1" && echo 42`, "sh", on.Scratch.File}}
	out, err := on.Place.Run(ctx, c)
	return assay.Transcript{Probe: "scribble", Steps: []assay.Step{{Name: "measure", Argv: c.Argv, Output: out}}}, err
}

func (scribble) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var v float64
	_, err := fmt.Sscan(string(tr.Step("measure").Output.Stdout), &v)
	return []assay.Measurement{{Metric: "storage.write.iops", Value: v, Unit: assay.PerSecond}}, err
}

// A kind of storage that exists only in one folder and on the list gets from the
// cluster.yaml to the report without a line changed elsewhere: it is read, shown by
// the schema, checked by the doctor, planned, measured, stored, reported, and cleaned
// up.
func TestANewKindNeedsNoLineElsewhere(t *testing.T) {
	wall := t.TempDir()
	kinds := append(all.Kinds(), shelf())
	volumes := append(all.Volumes(), shelf().Volume())
	ctx := t.Context()

	if !json.Valid(cluster.Schema(kinds...)) || !strings.Contains(string(cluster.Schema(kinds...)), "boards on a wall") {
		t.Error("the schema does not show the kind")
	}
	for text, want := range map[string]string{
		"shelf: {wal: /x}":               `x.yaml:2:17: shelf of tier oak has no "wal"; did you mean "wall"?`,
		"shelf: {boards: 3}":             `x.yaml:2:9: shelf of tier oak: wall: is missing`,
		"shlf: {wall: /x}":               `x.yaml:2:9: tier oak has no "shlf"; did you mean "shelf"?`,
		"node: n1, shelf: {wall: /x}":    `x.yaml:2:3: tier oak: shelf: is measured on SSH hosts, not on nodes of the Kubernetes; name one with host:`,
		"pvc: {}, shelf: {wall: /x}":     `x.yaml:2:3: tier oak needs one of directory, hostpath, pvc, device, ephemeral, s3, ceph, rados, rbd, zfs, drbd, linstor, vmdisk and shelf; it has pvc and shelf`,
		"host: h1, shelf: {wall: /x}":    `x.yaml:2:15: host of tier oak: no host "h1"`,
		"shelf: {wall: x, boards: \"\"}": "x.yaml:2:23: wall of shelf of tier oak: \"x\" is not an absolute path below /\nx.yaml:2:34: boards of shelf of tier oak is the word \"\"; expected a word of 1 to 200 letters",
	} {
		if _, err := cluster.Read("x.yaml", []byte("tiers:\n  oak: {"+text+"}\n"), kinds...); err == nil || err.Error() != want {
			t.Errorf("%s:\n%v\nwant\n%s", text, err, want)
		}
	}
	c, err := cluster.Read("x.yaml", []byte("tiers:\n  oak: {shelf: {wall: "+wall+", boards: 3}}\n"), kinds...)
	if err != nil {
		t.Fatal(err)
	}
	here := local.New("here", "")
	deployed, err := tiers.Open(tiers.Options{Cluster: c, Tiers: c.Tiers, Here: "here", Run: newKindRun, Local: func() assay.Place { return here }})
	if err != nil {
		t.Fatal(err)
	}
	defer deployed.Teardown(ctx)
	if found := deployed.Examine(ctx, c.Tiers[0], nil); found.Err != nil || fmt.Sprint(found.Checked, found.Unasked) != "[the wall] [what the boards carry]" {
		t.Errorf("the doctor finds %+v", found)
	}

	inv := assay.Inventory{Hosts: []assay.Host{{Name: "here"}}, Facts: map[string]assay.Facts{"here": {Host: "here"}}}
	deployed.Complete(ctx, &inv, nil)
	p, err := plan.Make(inv, suite.Suite{Name: "tiers", Title: "shelves", Budget: 10 * time.Minute, Repeats: 3, Cases: []assay.Case{
		{Probe: "scribble", Name: "write", Title: "words on a board", On: kindShelf, Seconds: .01, Longest: .01},
	}}, []assay.Probe{scribble{}}, plan.Options{Seed: 1})
	if err != nil || len(p.Trials) != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	owner, err := store.Self(newKindRun)
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: newKindRun, Suite: "tiers", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: 10 * time.Minute, Inventory: inv}
	if err := st.Begin(ctx, head); err != nil {
		t.Fatal(err)
	}
	e := run.Engine{Places: map[string]assay.Place{"here": here}, Probes: []assay.Probe{scribble{}}, Volumes: volumes, Store: st, Owner: owner, Tell: func(run.Event) {}}
	if _, err := e.Run(ctx, p, head); err != nil {
		t.Fatal(err)
	}
	expectEmpty(t, wall)

	stored, err := st.Load(ctx, newKindRun)
	if err != nil || stored.Status != assay.RunDone || stored.Results[0].Trial.Subject.Params["boards"] != "3" || len(stored.Results[0].Counted()) != 3 {
		t.Fatalf("stored is %+v: %v", stored, err)
	}
	text, err := json.Marshal(report.Build(stored))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"oak", "words on a board", "shelf, boards 3"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %s:\n%s", want, text)
		}
	}

	// A dead run left a board.
	owner.Start = "1" // of another process
	left, err := shelves{}.Reserve(ctx, here, stored.Results[0].Trial.Subject, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Journal(ctx, left, owner); err != nil {
		t.Fatal(err)
	}
	if _, err := (shelves{}).Lend(ctx, here, left); err != nil {
		t.Fatal(err)
	}
	released, err := run.Cleanup(ctx, st, map[string]assay.Place{"here": here}, []assay.Journalled{shelves{}}, false)
	if err != nil || len(released) != 1 || released[0].Err != nil {
		t.Errorf("%+v, %v", released, err)
	}
	expectEmpty(t, wall)
}

// newKindRun is unique to this process: processes that carry it are ended, and
// packages are tested in parallel.
var newKindRun = fmt.Sprintf("20260101-000001-%06x", os.Getpid()&0xffffff)

func expectEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left in %s: %v, %v", dir, entries, err)
	}
}
