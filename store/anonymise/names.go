package anonymise

import (
	"slices"
	"strings"

	"assay/internal/order"
)

// Names holds the pseudonyms of one file. The zero value is not usable: see
// New.
type Names struct {
	ids map[string]string // the new id of each run, by its old one in lower case
	// needles are the texts to find, by first byte in lower case, the longest
	// first.
	needles map[byte][]needle
	// given are pseudonyms by kind and original in lower case.
	given map[*kind]map[string]string
	count map[*kind]int
	// seen are the learnt originals in lower case: no pseudonym may contain
	// one.
	seen map[string]bool
	// dotted are the measured hosts' names with a dot by their first label, in lower case, without
	// those that only add to another.
	dotted map[string][]string
	// products are words of makers' product names, in lower case.
	products map[string]bool
}

// needle is a text to find, ignoring case.
type needle struct {
	lower string
	kind  *kind // nil: the id of a run
	alone bool  // only without an adjacent letter or digit
}

// New returns names that know only users: names of known users, such as the one
// running assay.
func New(users ...string) *Names {
	n := &Names{ids: map[string]string{}, needles: map[byte][]needle{},
		given: map[*kind]map[string]string{}, count: map[*kind]int{}, seen: map[string]bool{}, dotted: map[string][]string{}, products: map[string]bool{}}
	for _, u := range users {
		n.learn(kindUser, u)
	}
	return n
}

// Rename gives a run another id, wherever the old one occurs.
func (n *Names) Rename(id, to string) {
	n.ids[strings.ToLower(id)] = to
	n.look(needle{lower: strings.ToLower(id)})
}

// learn registers a text, so that it is found wherever it occurs.
func (n *Names) learn(k *kind, original string) {
	original = strings.TrimSpace(original)
	lower := strings.ToLower(original)
	if len(lower) < 2 || common[lower] || strings.Trim(lower, "0.- _") == "" {
		return
	}
	if k == kindHost {
		if tier, node, pod := strings.Cut(original, "@"); pod {
			n.learn(kindHost, tier)
			n.learn(kindHost, node)
			return
		}
		if storageKinds[lower] {
			return
		}
		if first, rest, dotted := strings.Cut(original, "."); dotted && !isIPv4(original) {
			n.learn(kindHost, first) // found with its suffix: see domain
			if strings.Contains(rest, ".") {
				n.learn(kindDomain, rest)
			}
		}
	}
	if isIPv4(original) || isIPv6(original) {
		n.saw(lower)
		return // found by its form
	}
	n.saw(lower)
	n.look(needle{lower: lower, kind: k, alone: len(lower) < 4 || vocabulary[lower] || !notAllDigits(lower)})
}

// addDotted registers the name of a measured host, or of a pod's node, if it has a dot:
// other names of a host may be in several domains.
func (n *Names) addDotted(name string) {
	lower := strings.ToLower(name[strings.IndexByte(name, '@')+1:])
	first, _, dotted := strings.Cut(lower, ".")
	if !dotted || isIPv4(lower) {
		return
	}
	if slices.ContainsFunc(n.dotted[first], func(has string) bool { return begins(lower, has) }) {
		return
	}
	others := slices.DeleteFunc(n.dotted[first], func(has string) bool { return begins(has, lower) })
	n.dotted[first] = append(others, lower)
}

// begins reports whether the first labels of a host's name are those of another.
func begins(name, labels string) bool {
	rest, is := strings.CutPrefix(name, labels)
	return is && (rest == "" || rest[0] == '.')
}

// identity returns what identifies the host of that name: its first label, unless hosts
// differ only in the rest.
func (n *Names) identity(name string) string {
	lower := strings.ToLower(name)
	first, _, _ := strings.Cut(lower, ".")
	if len(n.dotted[first]) < 2 {
		return first
	}
	for _, has := range n.dotted[first] {
		if begins(lower, has) {
			return has
		}
	}
	return lower
}

// learnName registers a name that somebody gave, matched only as a whole: it may be a
// word. Words that are frequent in texts reveal nothing.
func (n *Names) learnName(k *kind, original string) {
	lower := strings.ToLower(strings.TrimSpace(original))
	if len(lower) < 3 || common[lower] || storageKinds[lower] || vocabulary[lower] || directories[lower] || !notAllDigits(lower) || strings.HasPrefix(lower, ".assay") {
		return
	}
	n.look(needle{lower: lower, kind: k, alone: true})
}

// learnPath registers the names of directories, and a file's name with and
// without its extension. Devices have names of their own.
func (n *Names) learnPath(s string) {
	if before, _, home := cutHome(s); home {
		s = before // paths below a home are replaced as a whole
	}
	s = strings.TrimPrefix(s, "/dev/disk/by-") // found by their form
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == ':' || r == '\\' }) {
		if plainToken.MatchString(strings.ToLower(word)) {
			continue
		}
		n.learnName(kindDirectory, word)
		if dot := strings.LastIndexByte(word, '.'); dot > 0 && plainEnding.MatchString(word[dot:]) {
			n.learnName(kindDirectory, word[:dot])
		}
	}
}

func (n *Names) look(needed needle) {
	if needed.lower == "" {
		return
	}
	key := needed.lower[0]
	if slices.ContainsFunc(n.needles[key], func(has needle) bool { return has.lower == needed.lower }) {
		return
	}
	all := append(slices.Clone(n.needles[key]), needed)
	order.Stable(all, func(a, b needle) int { return len(b.lower) - len(a.lower) })
	n.needles[key] = all
}

// knows reports whether lower was learnt as a k.
func (n *Names) knows(k *kind, lower string) bool {
	return lower != "" && slices.ContainsFunc(n.needles[lower[0]], func(has needle) bool { return has.lower == lower && has.kind == k })
}

func (n *Names) saw(lower string) {
	if len(lower) >= 4 && !vocabulary[lower] {
		n.seen[lower] = true
	}
}

// pseudonym returns the pseudonym of an original, always the same. It contains
// no original itself, unless a thousand in a row do.
func (n *Names) pseudonym(k *kind, original string) string {
	lower := strings.ToLower(original)
	if k == kindMAC {
		lower = strings.ReplaceAll(lower, "-", ":")
	}
	if p, ok := n.given[k][lower]; ok {
		if k == kindMAC {
			p = strings.ReplaceAll(p, p[2:3], original[2:3])
		}
		return p
	}
	var p string
	for range 1000 {
		n.count[k]++
		if p = k.name(n.count[k], original); !n.holdsOriginal(p) {
			break
		}
	}
	if n.given[k] == nil {
		n.given[k] = map[string]string{}
	}
	n.given[k][lower] = p
	return p
}

func (n *Names) holdsOriginal(p string) bool {
	p = strings.ToLower(p)
	for original := range n.seen {
		if strings.Contains(p, original) {
			return true
		}
	}
	return false
}

// host returns a host's pseudonym by its whole name.
func (n *Names) host(name string) string {
	if name == "" {
		return name
	}
	if common[strings.ToLower(name)] || storageKinds[strings.ToLower(name)] {
		return name
	}
	if tier, node, pod := strings.Cut(name, "@"); pod {
		return n.host(tier) + "@" + n.host(node)
	}
	if isIPv4(name) || isIPv6(name) {
		return n.text(name)
	}
	return n.pseudonym(kindHost, n.identity(name))
}
