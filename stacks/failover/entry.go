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

// Entry is something that may be stopped, how, and what is to answer meanwhile. It is plain
// data: of a cluster.yaml, of a subject, and of a receipt in the journal.
type Entry struct {
	Name string `json:"name"`
	Host string `json:"host"` // where it is stopped
	// How: a unit of systemd; a process that is killed, of that unit or with Start; a network
	// interface; what drbd-reactor runs where it promotes a resource; or commands for sh.
	Service  string `json:"service,omitempty"`
	Kill     string `json:"kill,omitempty"`
	Link     string `json:"link,omitempty"`
	Promoter string `json:"promoter,omitempty"`
	Stop     string `json:"stop,omitempty"`
	Start    string `json:"start,omitempty"`
	Running  string `json:"running,omitempty"` // its exit status 0 says that it is not stopped
	// By is the host on which the commands run; "" is Host.
	By      string `json:"by,omitempty"`
	Confirm string `json:"confirm,omitempty"` // Host again: it may be stopped, and nobody is asked
	// HA is what ha-manager of Proxmox VE calls the guest that fails over.
	HA string `json:"ha,omitempty"`

	// What has to answer: to pings; with a port to TCP; with a path of HTTP to GET by Status. Or a
	// command for sh on the observers, which has to end with exit status 0.
	Address string `json:"address,omitempty"`
	Port    int    `json:"port,omitempty"`
	HTTP    string `json:"http,omitempty"`
	Status  int    `json:"status,omitempty"` // 0 is 200
	Command string `json:"command,omitempty"`
	// Timeout is how long an answer may take; 0 is 1 s, and 10 s for a command.
	Timeout time.Duration `json:"timeout,omitempty"`

	Observers []string `json:"observers,omitempty"` // the hosts that ask it
	Whole     string   `json:"whole,omitempty"`     // for sh on the first of them: 0 says that redundancy is whole
	Heals     bool     `json:"heals,omitempty"`     // it becomes whole while that is stopped: wait for it
	// Failback is for sh on the first of them, before anything is stopped and when all is measured: 0
	// says that what is to fail over is on Host. It may bring it there.
	Failback string `json:"failback,omitempty"`
	// Load is for sh on the last of them, all the while: it prints a line for each thing it has done.
	Load string `json:"load,omitempty"`

	For    time.Duration `json:"for,omitempty"`    // how long it stays stopped at least; 0 is 5 s
	Within time.Duration `json:"within,omitempty"` // how long at most; 0 is 2 min
}

// Times that stand where the file has none, and their bounds.
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

// Check refuses what could not be done so.
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

// checkAsked refuses what cannot be asked, and all but one way of asking.
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

// unprintable is what a command has no use for, and what would hide some of it from readers.
func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// checkHow refuses all but one way of stopping it.
func (e Entry) checkHow() error {
	for key, command := range map[string]string{"stop": e.Stop, "start": e.Start, "running": e.Running, "whole": e.Whole, "failback": e.Failback, "load": e.Load, "command": e.Command} {
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

// Where is the host on which the commands run.
func (e Entry) Where() string { return cmp.Or(e.By, e.Host) }

// AtLeast and AtMost are how long it stays stopped.
func (e Entry) AtLeast() time.Duration { return cmp.Or(e.For, defaultFor) }

// AtMost is when the guard puts it back unasked.
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

// longestAsked is how many runes of a command name it.
const longestAsked = 60

// Asked names what is to answer: "10.0.0.9", "10.0.0.9 port 6443", "http://10.0.0.9/healthz",
// "`ceph -s`".
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
	paramConfirmed = "confirmed" // the host, where somebody confirmed it
)

// Params are the entry as parameters of a subject.
func (e Entry) Params() map[string]string {
	text, _ := json.Marshal(e) // strings, numbers and lists of them always can be
	return map[string]string{paramEntry: string(text)}
}

// Confirmed are parameters by which it may be stopped.
func (e Entry) Confirmed() map[string]string {
	all := e.Params()
	all[paramConfirmed] = e.Host
	return all
}

// Of reads the entry that a subject's parameters are, and whether it was confirmed.
func Of(params map[string]string) (e Entry, confirmed bool, err error) {
	if e, err = Read(params[paramEntry]); err != nil {
		return Entry{}, false, err
	}
	return e, params[paramConfirmed] == e.Host, nil
}

// Read reads an entry as JSON, and refuses what Check does.
func Read(text string) (e Entry, err error) {
	if err = json.Unmarshal([]byte(text), &e); err != nil {
		return Entry{}, fmt.Errorf("not an entry of failover: %w", err)
	}
	return e, e.Check()
}
