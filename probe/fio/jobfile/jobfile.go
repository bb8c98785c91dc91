package jobfile

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of a job file.
const (
	MostBytes    = 1 << 20
	mostSections = 200
	mostLine     = 4096
)

// File is a job file.
type File struct {
	Sections []Section
	Notes    []string // what is done differently from fio alone
}

// Section is a job: the options of [global] before it, and its own.
type Section struct {
	Name    string
	Line    int
	Options []Option // those passed on, in order
	Shared  bool     // its jobs share one named file
	alone   bool     // waits for earlier sections
}

// Option is a line of a section.
type Option struct {
	Name, Value string
	Given       bool // has a value
	Line        int
}

func (o Option) String() string {
	if o.Given {
		return o.Name + "=" + o.Value
	}
	return o.Name
}

// Read reads a job file; name is for messages. All errors are returned, with
// lines.
func Read(name string, text []byte) (File, error) {
	if len(text) > MostBytes {
		return File{}, fmt.Errorf("%s: a job file has at most %d KiB", name, MostBytes>>10)
	}
	r := reader{name: name}
	for i, line := range strings.Split(string(text), "\n") {
		r.line(i+1, line)
	}
	r.finish()
	if len(r.faults) == 0 && len(r.file.Sections) == 0 {
		r.fault(1, "no section: a job begins with its name in brackets, such as [randread]")
	}
	if len(r.faults) > 0 {
		return File{}, errors.Join(r.faults...)
	}
	r.note()
	return r.file, nil
}

type reader struct {
	name   string
	file   File
	global []Option // for all following sections
	now    *Section // the section being read
	inside bool     // in global or a section
	drops  []string // options left out, in order, with the reason
	faults []error
}

// mostFaults is how many are reported.
const mostFaults = 20

func (r *reader) fault(line int, format string, args ...any) {
	if len(r.faults) < mostFaults {
		r.faults = append(r.faults, fmt.Errorf("%s:%d: %w", r.name, line, fmt.Errorf(format, args...)))
	}
}

func (r *reader) line(n int, line string) {
	if len(line) > mostLine || strings.ContainsFunc(strings.TrimRight(line, "\r"), func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f || c == '\uFFFD' }) {
		r.fault(n, "not a line of a job file")
		return
	}
	if i := strings.IndexAny(line, ";#"); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "":
	case line[0] == '[':
		r.begin(n, line)
	case line == "include" || strings.HasPrefix(line, "include ") || strings.HasPrefix(line, "include\t"):
		r.fault(n, "include reads another file: put its lines here")
	case !r.inside:
		r.fault(n, "%q stands before any section", clip(line))
	default:
		r.option(n, line)
	}
}

// begin starts a section, or global.
func (r *reader) begin(n int, line string) {
	r.finish()
	name, rest, closed := strings.Cut(line[1:], "]")
	name = strings.TrimSpace(name)
	switch {
	case !closed || strings.TrimSpace(rest) != "" || name == "" || len(name) > 100:
		r.fault(n, "not a section such as [randread]: %q", clip(line))
	case len(r.file.Sections) == mostSections:
		r.fault(n, "more than %d sections", mostSections)
	}
	r.inside = true
	if name == "global" {
		return
	}
	r.now = &Section{Name: name, Line: n}
	for _, o := range r.global {
		r.now.add(o)
	}
}

func (r *reader) finish() {
	if r.now == nil {
		return
	}
	if s := *r.now; s.Value("rw") == "" && s.Value("readwrite") == "" {
		r.now.Options = append(r.now.Options, Option{Name: "rw", Value: "read", Given: true, Line: s.Line}) // fio's default
	}
	r.file.Sections = append(r.file.Sections, *r.now)
	r.now = nil
}

func (r *reader) option(n int, line string) {
	name, value, given := strings.Cut(line, "=")
	o := Option{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value), Given: given, Line: n}
	if err := check(o); err != nil {
		r.fault(n, "%w", err)
		return
	}
	if why := left[o.Name]; why == lent {
		r.drops = append(r.drops, fmt.Sprintf("%s:%d: %s is left out: %s", r.name, n, o.Name, why))
	}
	if r.now == nil {
		r.global = append(r.global, o)
		return
	}
	r.now.add(o)
}

// add adds an option from the file.
func (s *Section) add(o Option) {
	switch {
	case o.Name == "filename":
		s.Shared = true
	case (o.Name == "stonewall" || o.Name == "wait_for" || o.Name == "wait_for_previous") && o.Value != "0":
		s.alone = true
	}
	if left[o.Name] == "" {
		s.Options = append(s.Options, o)
	}
}

// note records what is done differently.
func (r *reader) note() {
	r.file.Notes = r.drops
	for i, s := range r.file.Sections {
		if i > 0 && !s.alone {
			r.file.Notes = append(r.file.Notes, fmt.Sprintf("%s:%d: fio would run [%s] together with [%s]; assay measures each section by itself",
				r.name, s.Line, s.Name, r.file.Sections[i-1].Name))
			return
		}
	}
}

// Value returns the last value of an option in the section, or "" for none.
func (s Section) Value(name string) string {
	for i := len(s.Options) - 1; i >= 0; i-- {
		if o := s.Options[i]; o.Name == name {
			if !o.Given {
				return "1"
			}
			return o.Value
		}
	}
	return ""
}

// value is Value for an option that has several names.
func (s Section) value(names ...string) string {
	for _, name := range names {
		if v := s.Value(name); v != "" {
			return v
		}
	}
	return ""
}

// Text returns the section in a few lines, which Parse turns back into it.
func (s Section) Text() string {
	var lines []string
	if s.Shared {
		lines = append(lines, "filename=lent")
	}
	for _, o := range s.Options {
		lines = append(lines, o.String())
	}
	return strings.Join(lines, "\n")
}

// Parse parses Text's output, with the same refusals.
func Parse(name, text string) (Section, error) {
	f, err := Read("job", []byte("[job]\n"+text))
	switch {
	case err != nil:
		return Section{}, err
	case len(f.Sections) != 1:
		return Section{}, errors.New("not the lines of one section")
	}
	f.Sections[0].Name = name
	return f.Sections[0], nil
}

// Jobs returns how many processes run at once.
func (s Section) Jobs() int64 {
	n, _ := readSize(s.Value("numjobs"))
	return max(n, 1)
}

// Pattern returns the access pattern, as in fio's rw.
func (s Section) Pattern() string {
	rw, _, _ := strings.Cut(s.value("rw", "readwrite"), ":")
	if rw == "readwrite" {
		rw = "rw"
	}
	return rw
}

// region returns how many bytes one process works on, or 0 if the file does not give a
// number.
func (s Section) region() int64 {
	for _, name := range []string{"size", "filesize"} {
		if n, ok := readSize(s.Value(name)); ok {
			return n
		}
	}
	return 0
}

// Needs returns the space that the section works on, in bytes, or 0 if that is left
// open.
func (s Section) Needs() int64 {
	offset, _ := readSize(s.Value("offset"))
	step, _ := readSize(s.Value("offset_increment"))
	whole, _ := readSize(s.Value("filesize"))
	region := s.region()
	if region == 0 {
		return 0
	}
	if percent, is := strings.CutSuffix(s.Value("offset"), "%"); is {
		n, _ := readSize(percent)
		if n >= 100 || region > mostBytes/100 {
			return mostBytes
		}
		offset = region*100/(100-n) - region + 1
	}
	if s.apart() {
		step = region
	}
	if others := s.Jobs() - 1; others > 0 && step > (mostBytes-region-offset)/others {
		return mostBytes
	}
	return max(offset+step*(s.Jobs()-1)+region, whole)
}

// apart reports whether fio would have given each process its own file; here each gets
// a part of the lent one.
func (s Section) apart() bool {
	return !s.Shared && s.Jobs() > 1 && s.Value("offset_increment") == ""
}

// Runtime returns how long the section runs, ramp included, or 0 if it runs until done.
func (s Section) Runtime() time.Duration {
	ramp, _ := readSpan(s.Value("ramp_time"))
	if d, _ := readSpan(s.value("runtime", "timeout")); d > 0 {
		return d + ramp
	}
	return 0
}

// Work returns how many bytes the section moves on a region of that size if nothing ends it
// early.
func (s Section) Work(lent int64) int64 {
	each := s.region()
	if each == 0 {
		each = lent
		if s.apart() {
			each /= s.Jobs()
		}
	}
	if n, ok := readSize(s.value("io_size", "io_limit")); ok && n > 0 {
		each = n
	}
	loops, _ := readSize(s.Value("loops"))
	loops = max(loops, 1)
	if each > mostBytes/loops/s.Jobs() {
		return mostBytes
	}
	return each * loops * s.Jobs()
}

// mib is the granularity of regions.
const mib = 1 << 20

// Args returns fio's arguments for the section on that many bytes of lent space. The
// engine comes first: fio knows an engine's options only once it is named.
func (s Section) Args(lent int64) ([]string, error) {
	if needs := s.Needs(); needs > lent {
		return nil, fmt.Errorf("the job needs %d MiB, and only %d MiB were lent and written", (needs+mib-1)/mib, lent/mib)
	}
	var args []string
	if e := s.Value("ioengine"); e != "" {
		args = append(args, "--ioengine="+e)
	}
	for _, o := range s.Options {
		if o.Name != "ioengine" && o.Name != "filesize" {
			args = append(args, "--"+o.String())
		}
	}
	each := s.region()
	if each == 0 && s.Value("size") == "" {
		offset, _ := readSize(s.Value("offset"))
		step, _ := readSize(s.Value("offset_increment"))
		each = lent - offset - step*(s.Jobs()-1)
		if s.apart() {
			each /= s.Jobs()
		}
		if each = each / mib * mib; each <= 0 {
			return nil, fmt.Errorf("%d MiB of scratch space are not enough for the job's offset and processes", lent/mib)
		}
	}
	if s.Value("size") == "" {
		args = append(args, fmt.Sprintf("--size=%d", each))
	}
	if s.apart() && each > 0 {
		args = append(args, fmt.Sprintf("--offset_increment=%d", each))
	}
	return args, nil
}
