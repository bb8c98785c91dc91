package clone

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// domain holds what clones depend on in their template.
type domain struct {
	cpus   int
	memory int64 // B
	disks  []domainDisk
}

// domainDisk is a disk that each clone gets an overlay of.
type domainDisk struct {
	target       string
	path         string // of a file
	pool, volume string // or of a volume
	format       string // raw, qcow2
}

// element is an XML element and its offsets in the text: the start tag is [from, open), the
// whole element [from, to).
type element struct {
	name           string
	attr           map[string]string
	text           string // directly in it
	from, open, to int64
	in             []*element
}

// deepest limits how deeply elements may nest: a domain has ten levels.
const deepest = 100

// parse parses a text whose root is a domain.
func parse(text []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(text))
	top := &element{}
	open := []*element{top}
	for {
		from := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("not the XML of a domain: %w", err)
		}
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, attr: map[string]string{}, from: from, open: d.InputOffset()}
			if t.Name.Space != "" {
				e.name = t.Name.Space + " " + e.name
			}
			for _, a := range t.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			if len(open) > deepest {
				return nil, errors.New("not the XML of a domain: too deep")
			}
			last.in = append(last.in, e)
			open = append(open, e)
		case xml.EndElement:
			last.to = d.InputOffset()
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(t)
		}
	}
	if len(top.in) != 1 || top.in[0].name != "domain" {
		return nil, errors.New("not the XML of a domain")
	}
	return top.in[0], nil
}

// all returns the elements at a path of names; "*" matches any.
func (e *element) all(path ...string) []*element {
	if e == nil {
		return nil
	}
	found := []*element{e}
	for _, name := range path {
		var next []*element
		for _, f := range found {
			for _, child := range f.in {
				if name == "*" || child.name == name {
					next = append(next, child)
				}
			}
		}
		found = next
	}
	return found
}

// get returns the first of all, or nil.
func (e *element) get(path ...string) *element {
	if found := e.all(path...); len(found) > 0 {
		return found[0]
	}
	return nil
}

// is returns an attribute, or "", also for a nil element.
func (e *element) is(attr string) string {
	if e == nil {
		return ""
	}
	return e.attr[attr]
}

// writes lists devices through which a guest would write to files or devices of the host that
// template and clones would share.
var writes = []struct{ path, why string }{
	{"devices hostdev", "passes through a device of the host, which only one guest can have"},
	{"devices filesystem", "shares a directory of the host"},
	{"devices pstore", "writes to a file of the host"},
	{"devices shmem", "shares memory with others"},
	{"devices lease", "holds leases"},
	{"devices memory source path", "has memory that lies in a file of the host"},
}

// unsafe refuses a template whose clones could write to what is not their own.
func unsafe(d *element) error {
	refuse := func(why string) error {
		return assay.WithHint("name a template without that", "it %s: %w", why, assay.ErrNotSupported)
	}
	for _, w := range writes {
		if d.get(strings.Fields(w.path)...) != nil {
			return refuse(w.why)
		}
	}
	for _, e := range d.all("devices", "interface") {
		if slices.Contains([]string{"hostdev", "vdpa", "vhostuser"}, e.is("type")) {
			return refuse("has a network interface of type " + e.is("type") + ", which only one guest can have")
		}
	}
	for _, e := range d.all("devices", "tpm", "backend") {
		if e.is("type") != "emulator" {
			return refuse("passes through the host's TPM")
		}
	}
	for _, e := range d.in {
		if strings.HasSuffix(e.name, " commandline") {
			return refuse("has QEMU arguments of its own, whose effect assay can't judge")
		}
	}
	return nil
}

// agentChannel is the name of a guest agent's channel.
const agentChannel = "org.qemu.guest_agent.0"

// readDomain reads a template from the output of virsh dumpxml --inactive. It refuses one
// that cannot be cloned. It is pure and total.
func readDomain(text []byte) (domain, error) {
	e, err := parse(text)
	if err != nil {
		return domain{}, err
	}
	if err := unsafe(e); err != nil {
		return domain{}, err
	}
	agent := func(t *element) bool { return t.is("name") == agentChannel }
	if !slices.ContainsFunc(e.all("devices", "channel", "target"), agent) {
		return domain{}, assay.WithHint("give it a channel named "+agentChannel+", and install qemu-guest-agent in it", "it has no guest agent, which assay needs to reach its clones")
	}
	var d domain
	if d.memory, err = amount(e.get("memory")); err != nil {
		return domain{}, err
	}
	vcpu := e.get("vcpu")
	if vcpu == nil {
		d.cpus = 1
	} else if d.cpus, err = strconv.Atoi(cmp.Or(vcpu.is("current"), strings.TrimSpace(vcpu.text))); err != nil || d.cpus < 1 {
		return domain{}, fmt.Errorf("unusable number of CPUs: %.40q", vcpu.text)
	}
	for _, k := range e.all("devices", "disk") {
		one, err := readDisk(k)
		if err != nil {
			return domain{}, err
		}
		if one != nil {
			d.disks = append(d.disks, *one)
		}
	}
	if len(d.disks) == 0 {
		return domain{}, assay.WithHint("name a domain that boots from a disk", "it has no disk that could be cloned")
	}
	return d, nil
}

var (
	targetName = lazyregexp.New(`^[a-z]{2,8}$`)
	units      = map[string]int64{"": 1 << 10, "KiB": 1 << 10, "k": 1 << 10, "b": 1, "bytes": 1, "MiB": 1 << 20, "M": 1 << 20, "GiB": 1 << 30, "G": 1 << 30}
)

// amount reads an amount of memory in bytes; libvirt itself writes KiB.
func amount(e *element) (int64, error) {
	if e == nil {
		return 0, fmt.Errorf("no memory: %w", assay.ErrNoOutput)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(e.text), 10, 64)
	unit := units[e.is("unit")]
	if err != nil || n <= 0 || unit == 0 || n > 1<<50/unit {
		return 0, fmt.Errorf("unusable amount of memory: %.40q %.20q", e.text, e.is("unit"))
	}
	return n * unit, nil
}

// overlaid reports whether a clone gets an overlay of a disk. CDs are only read.
func overlaid(k *element) bool {
	return slices.Contains([]string{"", "disk", "lun"}, k.is("device")) && k.get("readonly") == nil
}

// readDisk reads a disk; nil for one that gets no overlay.
func readDisk(k *element) (*domainDisk, error) {
	if !overlaid(k) {
		return nil, nil
	}
	source := k.get("source")
	d := &domainDisk{
		target: k.get("target").is("dev"), path: source.is("file"), pool: source.is("pool"), volume: source.is("volume"),
		format: cmp.Or(k.get("driver").is("type"), "raw"),
	}
	refuse := func(format string, words ...any) (*domainDisk, error) {
		return nil, assay.WithHint("name a template whose disks are files of a pool, qcow2 or raw",
			"disk %s %s: %w", d.target, fmt.Sprintf(format, words...), assay.ErrNotSupported)
	}
	switch kind := k.is("type"); {
	case !targetName.MatchString(d.target):
		return nil, fmt.Errorf("a disk has the unusable name %.40q", d.target)
	case k.is("device") == "lun":
		return refuse("is passed through")
	case kind == "file" && strings.HasPrefix(d.path, "/"):
		d.pool, d.volume = "", ""
	case kind == "volume" && d.pool != "" && d.volume != "":
		d.path = ""
	default:
		return refuse("is of type %.20s", kind)
	}
	switch {
	case d.format != "raw" && d.format != "qcow2":
		return refuse("has format %.20s", d.format)
	case k.get("encryption") != nil || source.get("encryption") != nil:
		return refuse("is encrypted")
	case source.get("slices") != nil:
		return refuse("is a part of a file")
	}
	return d, nil
}

// edit replaces a piece of a text.
type edit struct {
	from, to int64
	by       string
}

// edits collects changes.
type edits []edit

func (e *edits) replace(at *element, by string) {
	if at != nil {
		*e = append(*e, edit{at.from, at.to, by})
	}
}

func (e *edits) drop(all ...*element) {
	for _, at := range all {
		e.replace(at, "")
	}
}

// apply returns the text with the changes. A change inside another is dropped.
func (e edits) apply(text []byte) []byte {
	slices.SortStableFunc(e, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var out []byte
	done := int64(0)
	for _, one := range e {
		if one.from < done {
			continue
		}
		out = append(append(out, text[done:one.from]...), one.by...)
		done = one.to
	}
	return append(out, text[done:]...)
}

// cloneOf returns the definition of a clone: its template's, with its own name and UUID,
// overlays at these paths for its disks, by disk name, and without what two domains cannot
// share: MAC addresses, sockets, files. It is pure and total.
func cloneOf(text []byte, name, uuid string, overlays map[string]string) ([]byte, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := unsafe(d); err != nil {
		return nil, err
	}
	var e edits
	of := d.get("name")
	if of == nil {
		return nil, errors.New("the domain has no name")
	}
	e.replace(of, "<name>"+html.EscapeString(name)+"</name><uuid>"+uuid+"</uuid><description>created by assay for a run, from "+
		html.EscapeString(strings.TrimSpace(of.text))+"; assay cleanup destroys it</description>")
	e.drop(d.all("uuid")...)
	e.drop(d.all("title")...)
	e.drop(d.all("description")...)
	e.replace(d.get("genid"), "<genid/>")
	e.freshFirmware(d)
	for _, entry := range d.all("sysinfo", "system", "entry") {
		if entry.is("name") == "uuid" {
			e.drop(entry)
		}
	}
	for _, nic := range d.all("devices", "interface") {
		e.drop(nic.all("mac")...)
		e.drop(nic.all("target")...)
		e.drop(nic.all("virtualport", "parameters")...)
	}
	for _, channel := range d.all("devices", "channel") {
		if channel.is("type") == "unix" {
			e.drop(channel.all("source")...)
		}
	}
	for _, word := range []string{"serial", "console", "parallel"} {
		for _, line := range d.all("devices", word) {
			if line.is("type") != "pty" && line.is("type") != "null" {
				e.drop(line)
			}
		}
	}
	e.drop(d.all("devices", "*", "log")...)
	e.drop(d.all("devices", "vsock")...)
	for _, k := range d.all("devices", "disk") {
		if err := e.overlay(text, k, overlays); err != nil {
			return nil, err
		}
	}
	return e.apply(text), nil
}

// freshFirmware has libvirt recreate the UEFI variables from the same template.
func (e *edits) freshFirmware(d *element) {
	nvram := d.get("os", "nvram")
	if nvram == nil {
		return
	}
	fresh := ""
	if template := nvram.is("template"); template != "" {
		fresh = `<nvram template="` + html.EscapeString(template) + `"/>`
	}
	e.replace(nvram, fresh)
}

// driverType matches the format in a driver's start tag.
var driverType = regexp.MustCompile(`(\s)type\s*=\s*('[^']*'|"[^"]*")`)

// overlay points a disk to its overlay.
func (e *edits) overlay(text []byte, k *element, overlays map[string]string) error {
	if k.is("device") == "floppy" {
		e.drop(k)
		return nil
	}
	if !overlaid(k) {
		return nil
	}
	target := k.get("target").is("dev")
	path, source, driver := overlays[target], k.get("source"), k.get("driver")
	if path == "" || source == nil {
		return fmt.Errorf("disk %.40q was added while clones were being made", target)
	}
	if k.is("type") != "file" {
		tag := text[k.from:k.open]
		*e = append(*e, edit{k.from, k.open, string(driverType.ReplaceAll(tag, []byte(`${1}type="file"`)))})
	}
	e.drop(k.all("backingStore")...)
	e.drop(k.all("transient")...)
	now := `<source file="` + html.EscapeString(path) + `"/>`
	if driver == nil {
		e.replace(source, `<driver name="qemu" type="qcow2"/>`+now)
		return nil
	}
	e.replace(source, now)
	tag := text[driver.from:driver.open]
	if driverType.Match(tag) {
		tag = driverType.ReplaceAll(tag, []byte(`${1}type="qcow2"`))
	} else {
		tag = bytes.Replace(tag, []byte("<driver"), []byte(`<driver type="qcow2"`), 1)
	}
	*e = append(*e, edit{driver.from, driver.open, string(tag)})
	return nil
}
