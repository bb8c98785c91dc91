package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/yamldoc"
)

// Defaults of a suite.
const (
	usualBudget  = 5 * time.Minute
	usualRepeats = 6
)

const (
	mostBytes = 1 << 20 // of a file
	mostFiles = 100     // read for one suite
)

// mostCases limits a suite's cases, with its matrices multiplied out.
const mostCases = 1000

// IsFile reports whether a word names a file rather than a built-in suite.
func IsFile(word string) bool {
	ext := filepath.Ext(word)
	return ext == ".yaml" || ext == ".yml" || strings.ContainsRune(word, filepath.Separator)
}

// Open returns the suite in a file, or the built-in one of that name.
func Open(word string) (Suite, error) {
	if IsFile(word) {
		return ReadFile(word)
	}
	return Load(word)
}

// ReadFile returns the suite in a file. Its includes are relative to it. Errors name
// file, line and column.
func ReadFile(file string) (Suite, error) {
	s, err := (&reader{own: true}).read(file)
	if err != nil {
		return Suite{}, err
	}
	if slices.Contains(Names(), s.Name) {
		return Suite{}, assay.WithHint("set name: in the file, or rename the file", "%s: %s is the name of a built-in suite", file, s.Name)
	}
	return s, nil
}

// Parse reads a suite without includes; name is for messages.
func Parse(text []byte, name string) (Suite, error) { return new(reader).parse(text, name) }

// reader reads a file and what it includes.
type reader struct {
	own  bool     // the user's files, not built-in ones
	open []string // files being read, each included by the one before
	had  int      // files read so far
}

// written is a suite as written in a file.
type written struct {
	Suite
	Include []yamldoc.FileName `yaml:"include"`
	Cases   []entry            `yaml:"cases"`
}

// entry is a case, or all cases of its matrix.
type entry struct {
	assay.Case
	Matrix matrix `yaml:"matrix"`
	node   yamldoc.Node
}

// ReadYAML implements yamldoc.Reader.
func (e *entry) ReadYAML(n yamldoc.Node) {
	type plain entry
	n.Decode((*plain)(e))
	e.node = n
}

func (r *reader) read(file string) (Suite, error) {
	text, err := r.text(file)
	if err != nil {
		return Suite{}, err
	}
	return r.parse(text, file)
}

// text returns the text of a file or of a built-in suite.
func (r *reader) text(file string) ([]byte, error) {
	if r.had++; r.had > mostFiles {
		return nil, fmt.Errorf("more than %d files are included", mostFiles)
	}
	switch {
	case r.own && IsFile(file) && len(r.open) == 0:
		return os.ReadFile(file) // #nosec G304 -- the user names it
	case r.own && IsFile(file):
		return readIncluded(file)
	}
	name := strings.TrimSuffix(file, ".yaml")
	if !slices.Contains(Names(), name) {
		return nil, assay.WithHint("suites: "+strings.Join(Names(), ", ")+"; a file's name ends in .yaml", "suite %q: %w", name, assay.ErrNotFound)
	}
	return files.ReadFile(name + ".yaml")
}

// readIncluded reads a file that may be a suite. Somebody else's file can include a pipe
// that nobody writes to, or an endless device.
func readIncluded(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case info.Size() > mostBytes:
		return nil, fmt.Errorf("%s is longer than a suite: %d bytes, and at most %d are read", file, info.Size(), mostBytes)
	}
	return os.ReadFile(file) // #nosec G304 -- the user names it
}

func (r *reader) parse(text []byte, file string) (Suite, error) {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	w := written{Suite: Suite{Name: name, Budget: usualBudget, Repeats: usualRepeats}}
	doc, parts := yamldoc.Parse(file, text)
	switch len(parts) {
	case 0:
		doc.Fault(yamldoc.Start, "no suite: cases are required")
	case 1:
		parts[0].Decode(&w)
	default:
		doc.Fault(parts[1].At, "a second document: one file is one suite")
	}
	s := w.Suite
	s.where = map[string]string{}
	if doc.Faults() == 0 {
		r.open = append(r.open, file)
		for _, other := range w.Include {
			r.include(&s, parts[0].Get("include"), file, string(other))
		}
		r.open = r.open[:len(r.open)-1]
		for _, e := range w.Cases {
			e.addTo(&s, file)
		}
	}
	if doc.Faults() == 0 {
		s.check(parts[0])
	}
	if err := doc.Err(); err != nil {
		return Suite{}, err
	}
	if s.Title == "" {
		s.Title = s.Name
	}
	return s, nil
}

// include adds the cases of another suite.
func (r *reader) include(s *Suite, at yamldoc.Node, file, other string) {
	if r.own && IsFile(other) && !filepath.IsAbs(other) {
		other = filepath.Join(filepath.Dir(file), other)
	}
	if slices.Contains(r.open, other) {
		at.Fault("%s includes itself: %s", other, strings.Join(append(r.open, other), " -> "))
		return
	}
	if ext := filepath.Ext(other); r.own && IsFile(other) && ext != ".yaml" && ext != ".yml" {
		at.Fault("include %s: a file's name ends in .yaml", other) // messages quote what they cannot parse
		return
	}
	included, err := r.read(other)
	if err != nil {
		at.Fault("include %s: %w", other, err)
		return
	}
	s.Tiers, s.Cluster, s.Storage = s.Tiers || included.Tiers, s.Cluster || included.Cluster, s.Storage || included.Storage
	for _, c := range included.Cases {
		s.add(c, included.Where(c), at)
	}
}

// addTo adds the cases of an entry to a suite.
func (e entry) addTo(s *Suite, file string) {
	all, err := e.Matrix.cases(e.Case)
	if err != nil {
		e.node.Fault("%w", err)
		return
	}
	at := fmt.Sprintf("%s:%d:%d", file, e.node.At.Line, e.node.At.Column)
	for _, c := range all {
		if c.Title == "" {
			c.Title = c.Name
		}
		if err := checkCase(c); err != nil {
			e.node.Fault("case %s: %w", yamldoc.Clip(c.Name), err)
			continue
		}
		s.add(c, at, e.node)
	}
}

// add adds a case; a fault is reported at by.
func (s *Suite) add(c assay.Case, at string, by yamldoc.Node) {
	if first := s.where[words(c)]; first != "" {
		by.Fault("duplicate case %s: it is at %s already", words(c), first)
		return
	}
	if len(s.Cases) == mostCases {
		by.Fault("more than %d cases", mostCases)
		return
	}
	s.where[words(c)] = at
	s.Cases = append(s.Cases, c)
}

// kinds are the kinds of subject that a case may ask for.
var kinds = []assay.SubjectKind{
	assay.KindCPU, assay.KindMemory, assay.KindDirectory, assay.KindDrive, assay.KindDevice, assay.KindBlock,
	assay.KindThermal, assay.KindNetwork, assay.KindLink, assay.KindImage, assay.KindPool, assay.KindBucket, assay.KindGuest, assay.KindFailover, assay.KindTier, assay.KindStorage,
}

func checkCase(c assay.Case) error {
	switch {
	case c.Probe == "" || c.Name == "" || c.On == "":
		return errors.New("probe, name and on are required")
	case !plainWord(c.Name):
		return fmt.Errorf("a name has letters, digits, dots, dashes and underscores, not %q", yamldoc.Clip(c.Name))
	case !slices.Contains(kinds, c.On):
		var known []string
		for _, k := range kinds {
			known = append(known, string(k))
		}
		return fmt.Errorf("there is no subject %q%s", yamldoc.Clip(string(c.On)), yamldoc.Meant(string(c.On), known))
	case c.Order != "" && c.Order != "first" && c.Order != "last":
		return fmt.Errorf("order is first or last, not %q", yamldoc.Clip(c.Order))
	}
	return nil
}

// check checks a suite as a whole.
func (s *Suite) check(n yamldoc.Node) {
	switch {
	case !plainWord(s.Name):
		n.Get("name").Fault("name: letters, digits, dots, dashes and underscores, not %q", yamldoc.Clip(s.Name))
	case len(s.Cases) == 0:
		n.Fault("no cases")
	case s.Precision >= 1:
		n.Get("precision").Fault("precision %v: use a fraction, as in 0.02", s.Precision)
	case s.Repeats < 1:
		n.Get("repeats").Fault("repeats: at least 1")
	}
}

// plainWord reports whether a word can stand in a command line, an id and a selection.
func plainWord(word string) bool { return len(word) <= 100 && plain().MatchString(word) }

var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`) })
