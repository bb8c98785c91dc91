package ceph

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// kind is the stack's kind in assay.StackFacts.
const kind = "ceph"

type learner struct{}

var _ assay.Learner = learner{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format describes how to recognise the output of ceph -s, osd df, osd tree,
// osd pool ls detail and version.
func (learner) Format() assay.Format {
	return assay.Format{Tool: kind, Commands: []string{"ceph"}, Begins: begins, Splits: splits, Accepts: accepts}
}

const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

var (
	clusterID = lazyregexp.New(`^(?:id: {5}|cluster )` + uuid + `$`)
	health    = lazyregexp.New(`^health:? (HEALTH_(?:OK|WARN|ERR))\b`)
	drives    = lazyregexp.New(`^(?:osd|osdmap e\d+): (\d+) osds: (\d+) up(?: \([^)]*\))?, (\d+) in\b`)
	release   = lazyregexp.New(`^ceph version (\d+\.\d+\.\d+)[ -].*\(`)
	pool      = lazyregexp.New(`^pool \d+ '([^']*)' (replicated|erasure)(?: profile \S+)? size (\d+) min_size \d+ crush_rule`)
	groups    = lazyregexp.New(`^(?:pgs: +)?(\d{1,9}) +((?:active|peered|creating|unknown|down|stale|incomplete|peering|activating|remapped)(?:\+[a-z_+]+)?)$`)
	tree      = lazyregexp.New(`^ID\s+(?:CLASS\s+)?WEIGHT\s+(?:TYPE NAME\s+|REWEIGHT\s+SIZE\s)`)
)

func begins(line string) bool {
	line = strings.TrimSpace(line)
	return clusterID.MatchString(line) || release.MatchString(line) || pool.MatchString(line) || tree.MatchString(line)
}

// splits reports whether next starts another output: only pool lines continue
// one.
func splits(sofar []byte, next string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(string(sofar[:min(len(sofar), longestLine)]), " \t\n"), "\n")
	return !pool.MatchString(strings.TrimSpace(next)) || !pool.MatchString(strings.TrimSpace(first))
}

// longestLine exceeds the length of any pool's line, in bytes.
const longestLine = 4096

func accepts(keys []string) bool {
	has := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(keys, w) })
	}
	return has("fsid", "osdmap", "health") || has("nodes", "stray") || has("pool_name", "size", "min_size", "type")
}
