package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/inventory"
	placeall "assay/place/all"
	"assay/place/record"
	"assay/place/replay"
	"assay/plan"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/run"
	"assay/run/clones"
	"assay/run/tiers"
	"assay/store"
)

// Target is what to measure: this machine, or hosts or tiers of a cluster.yaml.
type Target struct {
	// Directories are the directories of this machine whose storage is measured.
	// Scratch files are created in them and removed.
	Directories []string
	// Overwrite lists the devices of this machine that may be overwritten, each
	// as PATH,serial=SERIAL and other options that a cluster.yaml allows.
	Overwrite []string
	// Cluster is the cluster.yaml that names hosts and tiers; "" for this machine.
	Cluster string
	// Only chooses hosts, groups, nodes and tiers of the cluster; none for all.
	Only []string
	// Networks chooses networks of the cluster whose links are measured; none for all.
	Networks []string
	// Standing leaves out hosts that are made for a run.
	Standing bool
	// DespiteHealth also measures storage that refuses because it is unhealthy.
	DespiteHealth bool
	// Record is the file to which all commands on this machine and their output are
	// recorded; Replay is such a file, replayed instead of running commands.
	Record, Replay string
}

// Options says what a run measures, and how.
type Options struct {
	Target
	Suite suite.Suite
	Plan  plan.Options // which cases, how often, how long; the seed defaults to the clock
	// Labels tag the run.
	Labels map[string]string
	// Investigate makes the run measure what decides between the causes that its
	// results leave open, within a fifth of its budget.
	Investigate bool
	Keep        bool // leave what the run makes (files, pods, claims, buckets) in place

	// Install installs missing tools that the suite needs, if Confirm returns true for
	// the list. A nil Confirm declines.
	Install bool
	Confirm func(ctx context.Context, lacks []Lack) bool
	// ConfirmOverwrite asks whether a device may be overwritten. Nothing else answers that;
	// nil declines.
	ConfirmOverwrite func(ctx context.Context, what Overwritten) bool
	// ConfirmStop asks whether something may be stopped. Nothing else answers that; nil declines.
	ConfirmStop func(ctx context.Context, what Stopping) bool

	// Endurance bounds the writes to each drive that is overwritten.
	Endurance Endurance

	Version string      // program version stored with the run
	Tell    func(Event) // receives progress, one event at a time; may be nil
}

// Session conducts one run.
type Session struct {
	options    Options
	id         string      // of the run, or of the resumed part
	before     *unfinished // the run to resume; nil for a new one
	like       *pinned     // the run whose plan is repeated; nil for a plan of its own
	hosts      []inventory.Asked
	networks   []assay.Network
	resources  []assay.Resource
	probes     []assay.Probe
	inventory  assay.Inventory
	down       map[string]error   // why hosts could not be queried, by name
	tape       io.Closer          // the recording, if any
	deployment *tiers.Deployment  // of the measured storage tiers; nil without
	clones     *clones.Deployment // of the guests made for the run; nil without
	foreseen   []assay.Note       // on guests yet to be made

	store *store.Store // nil if nothing is measured
	owner store.Owner
	tried []run.Released  // leftovers of killed runs that were in the way
	left  []assay.Receipt // what is left of this run

	telling sync.Mutex
}

// New prepares a new run. It checks the options and contacts no host. The session
// ends with [Session.Run], [Session.Plan] or [Session.Close].
func New(o Options) (*Session, error) {
	if o.Suite.Cluster && o.Cluster == "" {
		return nil, invalid(assay.WithHint("give one with -i cluster.yaml; to measure this machine alone: assay run",
			"suite %s needs a cluster.yaml: it measures several hosts and the links between them", o.Suite.Name))
	}
	s := newSession(o)
	if err := s.chooseTiers(); err != nil {
		return nil, err
	}
	if err := s.reach(); err != nil {
		return nil, err
	}
	return s, nil
}

func newSession(o Options) *Session {
	return &Session{options: o, id: NewRunID(time.Now()), probes: probeall.Probes()}
}

// reach prepares access to the hosts.
func (s *Session) reach() error {
	switch {
	case s.options.Suite.Tiers:
		return s.reachTiers()
	case s.options.Cluster != "":
		return s.reachCluster()
	default:
		return s.reachHere()
	}
}

// reachHere prepares access to this machine, or to the recording that stands in
// for it.
func (s *Session) reachHere() error {
	t := s.options.Target
	if len(t.Only) > 0 {
		return invalidf("%s: choosing hosts needs a cluster.yaml", list(t.Only))
	}
	if t.Record != "" && t.Replay != "" {
		return invalidf("cannot record a replay")
	}
	here := inventory.Asked{}
	for _, d := range t.Directories {
		abs, err := filepath.Abs(d)
		if err != nil {
			return invalidf("directory %s: %w", d, err)
		}
		if !slices.Contains(here.Dirs, abs) {
			here.Dirs = append(here.Dirs, abs)
		}
	}
	var err error
	if here.Blocks, err = s.options.overwritten(); err != nil {
		return err
	}
	switch {
	case t.Replay != "":
		if here.Place, err = replayed(t.Replay); err != nil {
			return invalid(err)
		}
	case t.Record != "":
		f, err := os.OpenFile(t.Record, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return invalidf("record to a new file: %w", err)
		}
		s.tape = f
		here.Place = record.New(placeall.Local(thisHost(), s.id), f)
	default:
		here.Place = placeall.Local(thisHost(), s.id)
	}
	s.hosts = []inventory.Asked{here}
	return nil
}

// replayed returns a place that replays a recording.
func replayed(file string) (assay.Place, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("replay a recording: %w", err)
	}
	defer f.Close()
	return replay.New(f, file)
}

// checkCluster rejects options that work with a single machine only.
func (t Target) checkCluster() error {
	switch {
	case t.Record != "" || t.Replay != "":
		return invalidf("%s: recording and replaying work for a single machine only", t.Cluster)
	case len(t.Directories) > 0:
		return invalid(assay.WithHint("write the directories in "+t.Cluster, "%s lists its own directories", t.Cluster))
	case len(t.Overwrite) > 0:
		return invalid(assay.WithHint("write them under measure: overwrite: of their host", "%s lists its own devices to overwrite", t.Cluster))
	}
	return nil
}

// Close closes the hosts and removes what was made for the run, even if ctx was
// cancelled. It is needed only if neither Run nor Plan was called.
func (s *Session) Close(ctx context.Context) error {
	var err error
	if s.deployment != nil {
		err = s.teardown(ctx)
	} else {
		err = s.closeHosts()
	}
	err = errors.Join(err, s.destroyClones(ctx))
	if s.tape != nil {
		err = cmp.Or(err, s.tape.Close())
	}
	return err
}

// Cluster returns the cluster.yaml of the session, "" for this machine. For a
// resumed run it is the original one, unless the options name another.
func (s *Session) Cluster() string { return s.options.Cluster }

// NewRunID returns an id for a run. Ids are readable, unique, and sort by time.
func NewRunID(now time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// thisHost names this machine.
func thisHost() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		return "localhost"
	}
	return host
}
