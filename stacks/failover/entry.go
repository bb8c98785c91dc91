package failover

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"

	"assay/internal/lazyregexp"
	"assay/internal/oneline"
)

// Entry is something that may be stopped, how, and what has to answer meanwhile. It is
// plain data: part of a cluster.yaml, a subject, and a receipt in the journal.
type Entry struct {
	Name string `json:"name"`
	Host string `json:"host"` // where it is stopped
	// How to stop it: a systemd unit; a process to kill, of that unit or restarted by Start;
	// a network interface; what drbd-reactor runs on promoting a resource; or sh commands.
	Service  string `json:"service,omitempty"`
	Kill     string `json:"kill,omitempty"`
	Link     string `json:"link,omitempty"`
	Promoter string `json:"promoter,omitempty"`
	Stop     string `json:"stop,omitempty"`
	Start    string `json:"start,omitempty"`
	Running  string `json:"running,omitempty"` // its exit status 0 says that it is not stopped
	// By is the host that runs the commands; "" means Host.
	By      string `json:"by,omitempty"`
	Confirm string `json:"confirm,omitempty"` // Host again: it may be stopped, and nobody is asked
	// HA is the name in Proxmox VE's ha-manager of the guest that fails over.
	HA string `json:"ha,omitempty"`

	// What has to answer: pings; with a port, TCP; with an HTTP path, a GET with Status. Or an
	// sh command on the observers that has to exit with status 0.
	Address string `json:"address,omitempty"`
	Port    int    `json:"port,omitempty"`
	HTTP    string `json:"http,omitempty"`
	Status  int    `json:"status,omitempty"` // 0 is 200
	Command string `json:"command,omitempty"`
	// Timeout is how long an answer may take; 0 means 1 s, or 10 s for a
	// command.
	Timeout time.Duration `json:"timeout,omitempty"`

	Observers []string `json:"observers,omitempty"` // the hosts that ask it
	Whole     string   `json:"whole,omitempty"`     // for sh on the first of them: 0 says that redundancy is whole
	Heals     bool     `json:"heals,omitempty"`     // it becomes whole while that is stopped: wait for it
	// Failback is an sh command for the first observer, run before anything is stopped and
	// after all measurements: 0 means that what fails over is on Host. It may move it there.
	Failback string `json:"failback,omitempty"`
	// Load is an sh command that runs on the last observer throughout: it prints a line for
	// each operation.
	Load string `json:"load,omitempty"`

	For    time.Duration `json:"for,omitempty"`    // how long it stays stopped at least; 0 is 5 s
	Within time.Duration `json:"within,omitempty"` // how long at most; 0 is 2 min
}

// Defaults for times that the file leaves out, and their bounds.
const (
	defaultFor     = 5 * time.Second
	defaultWithin  = 2 * time.Minute
	defaultTimeout = time.Second
	commandTimeout = 10 * time.Second
	MostTimeout    = time.Minute
	MostWithin     = 10 * time.Minute
	MostObservers  = 2
)

var (
	name      = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	unit      = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@:\\-]{0,99}$`)
	process   = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.:+-]{0,14}$`) // the kernel keeps 15 bytes of a name
	nic       = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}$`)   // IFNAMSIZ
	resource  = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$`)    // of DRBD
	haGuest   = lazyregexp.New(`^(vm|ct):[1-9][0-9]{2,8}$`)
	dnsName   = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)
	webPath   = lazyregexp.New(`^/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{0,499}$`)
	longest   = 4000 // bytes of a command
	onlySpace = func(s string) bool { return strings.TrimSpace(s) == "" }
)

// Check rejects entries that cannot be carried out.
func (e Entry) Check() error {
	if err := e.checkHow(); err != nil {
		return err
	}
	for _, h := range append([]string{e.Name, e.Host, cmp.Or(e.By, e.Host)}, e.Observers...) {
		if !name.MatchString(h) {
			return fmt.Errorf("%.60q cannot be a name", h)
		}
	}
	if err := e.checkAsked(); err != nil {
		return err
	}
	switch {
	case e.Confirm != "" && e.Confirm != e.Host:
		return errors.New("confirm: must repeat the host")
	case len(e.Observers) > MostObservers:
		return fmt.Errorf("observers: at most %d", MostObservers)
	case slices.Contains(e.Observers, e.Host):
		return fmt.Errorf("observers: %s is where it is stopped; name other hosts", e.Host)
	case len(e.Observers) == 2 && e.Observers[0] == e.Observers[1]:
		return fmt.Errorf("observers: duplicate %s", e.Observers[0])
	case e.Heals && e.Whole == "":
		return errors.New("heals: needs whole:, the command that tells")
	case e.For < 0 || e.Within < 0 || e.Within > MostWithin || e.AtLeast() >= e.AtMost():
		return fmt.Errorf("for: must be shorter than within:, and that no longer than %s", MostWithin)
	}
	return nil
}

// checkAsked rejects what cannot be asked, and requires exactly one way of
// asking.
func (e Entry) checkAsked() error {
	a, err := netip.ParseAddr(e.Address)
	switch {
	case e.Command != "" && (e.Address != "" || e.Port != 0 || e.HTTP != "" || e.Status != 0):
		return errors.New("command: stands in place of address:, port:, http: and status:; give only one of them")
	case e.Command != "" && strings.ContainsFunc(e.Command, unprintable):
		return errors.New("command: has a control character in it")
	case e.Command == "" && (err != nil && !dnsName.MatchString(e.Address) || err == nil && a.Zone() != ""):
		return fmt.Errorf("address: %.60q is neither an IP address nor a name", e.Address)
	case e.Port < 0 || e.Port > 65535:
		return fmt.Errorf("port: %d is not a port", e.Port)
	case e.HTTP != "" && !webPath.MatchString(e.HTTP):
		return fmt.Errorf("http: %.60q is not the path of a URL, such as /healthz", e.HTTP)
	case e.Status != 0 && (e.HTTP == "" || e.Status < 100 || e.Status > 599):
		return errors.New("status: is the status, 100 to 599, that a GET of http: must have")
	case e.Timeout < 0 || e.Timeout > MostTimeout || e.Timeout >= e.AtMost():
		return fmt.Errorf("timeout: must be shorter than within:, and no longer than %s", MostTimeout)
	}
	return nil
}

// unprintable reports whether r is a control character that would only hide text from
// readers.
func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// checkHow requires exactly one way of stopping it.
func (e Entry) checkHow() error {
	for _, its := range [][2]string{{"stop", e.Stop}, {"start", e.Start}, {"running", e.Running}, {"whole", e.Whole}, {"failback", e.Failback}, {"load", e.Load}, {"command", e.Command}} {
		key, command := its[0], its[1]
		if len(command) > longest || strings.ContainsRune(command, 0) || command != "" && onlySpace(command) {
			return fmt.Errorf("%s: is a command for sh of at most %d bytes", key, longest)
		}
	}
	ways := 0
	for _, one := range []bool{e.Service != "" || e.Kill != "", e.Link != "", e.Promoter != "", e.Stop != ""} {
		if one {
			ways++
		}
	}
	own := e.Start != "" || e.Running != ""
	switch {
	case ways != 1:
		return errors.New("one of these is missing, or only one can be: service:, kill:, link:, promoter:, or stop: with start: and running: beside it")
	case e.Service != "" && !unit.MatchString(e.Service):
		return fmt.Errorf("service: %.60q cannot be a unit of systemd", e.Service)
	case e.Kill != "" && !process.MatchString(e.Kill):
		return fmt.Errorf("kill: %.60q cannot be the name of a process, as in /proc/PID/comm", e.Kill)
	case e.Link != "" && !nic.MatchString(e.Link):
		return fmt.Errorf("link: %.60q cannot be a network interface", e.Link)
	case e.Promoter != "" && !resource.MatchString(e.Promoter):
		return fmt.Errorf("promoter: %.60q cannot be a resource of DRBD", e.Promoter)
	case e.HA != "" && !haGuest.MatchString(e.HA):
		return fmt.Errorf("ha: %.60q is not what ha-manager calls a guest, such as vm:101", e.HA)
	case e.HA != "" && (e.Service != "" || e.Link != "") && e.Where() == e.Host:
		return errors.New("ha: a node that is cut off resets itself within a minute, and nothing there would put it back; give stop:, start: and running:, and under by: another host")
	case (e.Service != "" || e.Link != "" || e.Promoter != "") && own:
		return errors.New("start: and running: belong to stop: or kill:; a service, a link or a promoter is put back by itself")
	case e.Kill != "" && e.Service == "" && e.Start == "":
		return errors.New("kill: also give start: or service: so that it can be started again")
	case e.Stop != "" && (e.Start == "" || e.Running == ""):
		return errors.New("stop: also give start:, which puts it back, and running:, whose exit status 0 says that it is back")
	}
	return nil
}

// Where returns the host that runs the commands.
func (e Entry) Where() string { return cmp.Or(e.By, e.Host) }

// AtLeast and AtMost are the shortest and longest time it stays stopped.
func (e Entry) AtLeast() time.Duration { return cmp.Or(e.For, defaultFor) }

// AtMost is when the guard puts it back by itself.
func (e Entry) AtMost() time.Duration { return cmp.Or(e.Within, defaultWithin) }

// AnswerWithin is how long an answer may take.
func (e Entry) AnswerWithin() time.Duration {
	if e.Command != "" {
		return cmp.Or(e.Timeout, commandTimeout)
	}
	return cmp.Or(e.Timeout, defaultTimeout)
}

// What names what is stopped: "keepalived", "link eth1", "promoter linstor_db".
func (e Entry) What() string {
	switch {
	case e.Link != "":
		return "link " + e.Link
	case e.Promoter != "":
		return "promoter " + e.Promoter
	case e.Kill != "":
		return "process " + e.Kill
	case e.Service != "":
		return e.Service
	}
	return e.Name
}

// longestAsked is how many runes of a command Asked shows.
const longestAsked = 60

// Asked names what has to answer: "10.0.0.9", "10.0.0.9 port 6443",
// "http://10.0.0.9/healthz", "`ceph -s`".
func (e Entry) Asked() string {
	if e.Command != "" {
		command := []rune(oneline.Clean(e.Command))
		if len(command) > longestAsked {
			command = append(command[:longestAsked], '…')
		}
		return "`" + string(command) + "`"
	}
	host := e.Address
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() && e.HTTP != "" {
		host = "[" + host + "]"
	}
	switch {
	case e.HTTP != "" && e.Port != 0:
		return fmt.Sprintf("http://%s:%d%s", host, e.Port, e.HTTP)
	case e.HTTP != "":
		return "http://" + host + e.HTTP
	case e.Port != 0:
		return fmt.Sprintf("%s port %d", host, e.Port)
	}
	return host
}

// Keys of a subject's parameters.
const (
	paramEntry     = "failover"  // the entry as JSON
	paramConfirmed = "confirmed" // the host, if someone confirmed it
)

// Params returns the entry as a subject's parameters.
func (e Entry) Params() map[string]string {
	text, _ := json.Marshal(e) // strings, numbers and lists always can be
	return map[string]string{paramEntry: string(text)}
}

// Confirmed returns the parameters of an entry that may be stopped.
func (e Entry) Confirmed() map[string]string {
	all := e.Params()
	all[paramConfirmed] = e.Host
	return all
}

// Of parses the entry in a subject's parameters and reports whether it was
// confirmed.
func Of(params map[string]string) (e Entry, confirmed bool, err error) {
	if e, err = Read(params[paramEntry]); err != nil {
		return Entry{}, false, err
	}
	return e, params[paramConfirmed] == e.Host, nil
}

// Read parses an entry from JSON and checks it with Check.
func Read(text string) (e Entry, err error) {
	if err = json.Unmarshal([]byte(text), &e); err != nil {
		return Entry{}, fmt.Errorf("not an entry of failover: %w", err)
	}
	return e, e.Check()
}
