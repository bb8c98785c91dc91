package zfs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/place/local"
)

// standIn answers zfs and zpool like a host with one pool: requests change a table of
// datasets, and directories below a test root. Other commands run on this machine.
// guest_test.go has the real ones.
type standIn struct {
	assay.Place
	root     string
	pool     string
	guid     string
	health   string
	scan     string
	free     int64
	exported bool
	sets     map[string]map[string]string // properties set on each dataset
	asked    []string
	busy     int // how often destroy reports busy
	// after is called after each command.
	after func(command string)
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{Place: local.New("here", ""), root: t.TempDir(), pool: "tank", guid: "13713518233466391187", health: "ONLINE", free: 10 << 30,
		sets: map[string]map[string]string{"tank": {}, "tank/vms": {"recordsize": "16384"}}}
	for _, dataset := range []string{"tank", "tank/vms"} {
		if err := os.MkdirAll(s.mount(dataset), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *standIn) mount(dataset string) string {
	if at := s.sets[dataset]["mountpoint"]; at != "" {
		return filepath.Join(s.root, at)
	}
	return filepath.Join(s.root, dataset)
}

var defaults = map[string]string{"sync": "standard", "recordsize": "131072", "volblocksize": "16384", "compression": "on", "logbias": "latency", "primarycache": "all"}

// printed has what zfs get prints for a compression that was set at its default level.
var printed = map[string]string{"gzip-6": "gzip", "zstd-3": "zstd", "zstd-fast-1": "zstd-fast"}

func (s *standIn) value(dataset, property string) (value, source string) {
	if v, set := s.sets[dataset][property]; set && property != "mountpoint" {
		return v, "local"
	}
	switch property {
	case "available":
		return fmt.Sprint(s.free), "-"
	case "used":
		return "1048576", "-"
	case "type":
		return "filesystem", "-"
	case "mounted":
		return "yes", "-"
	case "mountpoint":
		return s.mount(dataset), "default"
	}
	if v, known := defaults[property]; known {
		for above := filepath.Dir(dataset); above != "."; above = filepath.Dir(above) {
			if v, set := s.sets[above][property]; set {
				return v, "inherited from " + above
			}
		}
		return v, "default"
	}
	return "-", "-"
}

func (s *standIn) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	if c.Argv[0] == "df" {
		return s.df(ctx, c)
	}
	if len(c.Argv) < 5 || c.Argv[0] != "sh" || c.Argv[1] != "-c" || c.Argv[3] != "sh" {
		return s.Place.Run(ctx, c)
	}
	argv := c.Argv[4:]
	command := strings.Join(argv, " ")
	s.asked = append(s.asked, command)
	out, err := s.answer(ctx, c, argv)
	if s.after != nil {
		s.after(command)
	}
	return out, err
}

// df reports the directory as being on its dataset.
func (s *standIn) df(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := s.Place.Run(ctx, c)
	if i := strings.LastIndex(string(out.Stdout), "\n/"); i >= 0 {
		row := strings.Fields(string(out.Stdout[i:]))
		row[0] = strings.TrimPrefix(c.Argv[len(c.Argv)-1], s.root+"/")
		out.Stdout = append(out.Stdout[:i+1:i+1], strings.Join(row, " ")+"\n"...)
	}
	return out, err
}

func (s *standIn) answer(ctx context.Context, c assay.Cmd, argv []string) (assay.Output, error) {
	fail := func(format string, args ...any) (assay.Output, error) {
		return assay.Output{Exit: 1, Stderr: fmt.Appendf(nil, format+"\n", args...)}, nil
	}
	say := func(text string) (assay.Output, error) { return assay.Output{Stdout: []byte(text)}, nil }
	last := argv[len(argv)-1]
	dataset := last
	switch verb := argv[0] + " " + argv[min(1, len(argv)-1)]; verb {
	case "zpool list":
		if s.exported {
			if last == s.pool {
				return fail("cannot open '%s': no such pool", last)
			}
			return say("no pools available\n")
		}
		return say(fmt.Sprintf("%s\t%s\t10737418240\t1048576\t%d\t1\t1\t%s\n", s.pool, s.guid, s.free, s.health))
	case "zpool status":
		scan := ""
		if s.scan != "" { // a new pool has no such line
			scan = "  scan: " + s.scan + "\n"
		}
		return say(fmt.Sprintf("  pool: %s\n state: %s\n%sconfig:\n\n\tNAME  STATE READ WRITE CKSUM\n\t%s  ONLINE 0 0 0\n\t  /dev/null  ONLINE 0 0 0\n\nerrors: No known data errors\n", s.pool, s.health, scan, s.pool))
	case "zfs get", "zfs mount", "zfs destroy", "zfs set", "zfs inherit":
		if s.sets[dataset] == nil {
			return fail("cannot open '%s': dataset does not exist", dataset)
		}
		switch argv[1] {
		case "get":
			var text strings.Builder
			names := strings.Split(argv[len(argv)-2], ",")
			if names[0] == "all" {
				names = append(slices.Sorted(maps.Keys(defaults)), "available", "used", "type")
			}
			for _, name := range names {
				value, source := s.value(dataset, name)
				fmt.Fprintf(&text, "%s\t%s\t%s\t%s\n", dataset, name, value, source)
			}
			return say(text.String())
		case "mount":
			return assay.Output{}, os.MkdirAll(s.mount(dataset), 0o755)
		case "set":
			name, value, _ := strings.Cut(argv[2], "=")
			s.sets[dataset][name] = cmp.Or(printed[value], value)
		case "inherit":
			delete(s.sets[dataset], argv[len(argv)-2])
		case "destroy":
			if s.busy > 0 {
				s.busy--
				return fail("cannot destroy '%s': dataset is busy", dataset)
			}
			if err := os.RemoveAll(s.mount(dataset)); err != nil {
				return assay.Output{}, err
			}
			delete(s.sets, dataset)
		}
		return say("")
	case "zfs create":
		if s.sets[dataset] != nil {
			return fail("cannot create '%s': dataset already exists", dataset)
		}
		set := map[string]string{}
		for i, word := range argv {
			if name, value, is := strings.Cut(word, "="); is && argv[i-1] == "-o" {
				set[name] = value
			}
		}
		s.sets[dataset] = set
		return say("")
	case "sh -c":
		// Here the directory under /run is below the test's root.
		argv = append(slices.Clone(argv[:len(argv)-1]), filepath.Join(s.root, last))
		c.Argv = argv
		return s.Place.Run(ctx, c)
	case "zfs version":
		return say("zfs-2.1.11-1\nzfs-kmod-2.1.11-1\n")
	case "cat /proc/spl/kstat/zfs/arcstats":
		return say("size 4 1048576\nc_min 4 1048576\nc_max 4 536870912\ndemand_data_hits 4 5\ndemand_data_misses 4 5\n")
	}
	return fail("%s: not known to the stand-in", argv[0])
}

func (s *standIn) subject(set map[string]string, flags ...string) assay.Subject {
	params := map[string]string{paramDataset: "tank/vms"}
	for _, flag := range flags {
		params[flag] = "true"
	}
	for name, value := range set {
		params[setPrefix+name] = value
	}
	return assay.Subject{ID: "here/directory/tank/vms", Kind: assay.KindDirectory, Host: "here", Name: "tank/vms", Tier: "vms", Volume: Kind, Params: params}
}

func (s *standIn) has(command string) bool {
	return slices.ContainsFunc(s.asked, func(c string) bool { return strings.HasPrefix(c, command) })
}
