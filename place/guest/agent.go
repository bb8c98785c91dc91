package guest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"assay"
)

// Agent is the guest agent of one guest, as its hypervisor exposes it.
type Agent struct {
	what string // the guest, for errors: "VM 101"
	// exec returns the hypervisor command that starts argv in the guest, with that
	// stdin. It must not put stdin into its arguments, which other users can read.
	exec func(argv []string, stdin []byte) assay.Cmd
	// status returns the command that queries the state of a started program.
	status func(pid int) assay.Cmd
	// answer extracts the agent's answer from the output of such a command. An error
	// concerns the guest: it is off, or its agent does not answer.
	answer func(out assay.Output) ([]byte, error)
	// text decodes a program's output, as encoded in the answer.
	text func(string) ([]byte, error)
}

// Unmade is the agent of a guest that exists only during a run.
func Unmade(what string) Agent {
	nothing := assay.Cmd{Argv: []string{"true"}}
	return Agent{
		what: what, exec: func([]string, []byte) assay.Cmd { return nothing }, status: func(int) assay.Cmd { return nothing },
		answer: func(assay.Output) ([]byte, error) {
			return nil, fmt.Errorf("%s: %w", what, away("it is made for a run, and destroyed with it"))
		},
	}
}

// pid parses the answer to exec.
func (a Agent) pid(out assay.Output) (int, error) {
	text, err := a.answer(out)
	if err != nil {
		return 0, err
	}
	var started struct {
		PID int `json:"pid"`
	}
	if err := json.Unmarshal(text, &started); err != nil || started.PID <= 0 {
		return 0, fmt.Errorf("%s: unexpected reply from the guest agent: %.100q", a.what, text)
	}
	return started.PID, nil
}

// state is the agent's status of a program that it started. The output comes only at its
// end.
type state struct {
	over      bool
	exit      int // exit status, 128 + a signal, or Windows' exception: 0xC0000005
	out, errs []byte
	truncated bool // there was more output than the agent keeps
}

// most is how much of each stream the agent keeps, in bytes (GUEST_EXEC_MAX_OUTPUT). Many
// agents report out-truncated as false even so (fixed in 10.1.1), so the length decides.
const most = 16 << 20

// look parses the answer to status.
func (a Agent) look(out assay.Output) (s state, err error) {
	text, err := a.answer(out)
	if err != nil {
		return s, err
	}
	var said struct {
		Exited       truth  `json:"exited"`
		Exit         int    `json:"exitcode"`
		Signal       int64  `json:"signal"`
		Out          string `json:"out-data"`
		Err          string `json:"err-data"`
		OutTruncated truth  `json:"out-truncated"`
		ErrTruncated truth  `json:"err-truncated"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return s, fmt.Errorf("%s: unexpected reply from the guest agent: %.100q", a.what, text)
	}
	if !said.Exited {
		return s, nil
	}
	s.over, s.exit = true, said.Exit
	switch {
	case said.Signal < 0 || said.Signal > 128: // a Windows program's exception, with or without its sign
		s.exit = int(uint32(said.Signal))
	case said.Signal > 0:
		s.exit = 128 + int(said.Signal)
	}
	if s.out, err = a.text(said.Out); err == nil {
		s.errs, err = a.text(said.Err)
	}
	if err != nil {
		return s, fmt.Errorf("%s: malformed output in the reply from the guest agent: %w", a.what, err)
	}
	s.truncated = bool(said.OutTruncated || said.ErrTruncated) || len(s.out) >= most || len(s.errs) >= most
	return s, nil
}

// truth is a bool, which Proxmox VE writes as 0 or 1.
type truth bool

// UnmarshalJSON reads true, false, 0 and 1.
func (t *truth) UnmarshalJSON(text []byte) error {
	switch string(bytes.Trim(text, `"`)) {
	case "true", "1":
		*t = true
	case "false", "0":
		*t = false
	default:
		return fmt.Errorf("%.20q is neither true nor false", text)
	}
	return nil
}

// away is an error that means the guest is out of reach.
type away string

func (a away) Error() string        { return string(a) }
func (a away) Is(target error) bool { return target == assay.ErrHostGone }

// troubles maps hypervisors' messages to their meaning and a remedy.
var troubles = []struct{ said, means, hint string }{
	{"has been disabled", "its guest agent does not allow guest-exec",
		"remove guest-exec from the block list, or add it to the allow list, of qemu-ga in the guest (/etc/qemu/qemu-ga.conf or /etc/sysconfig/qemu-ga)"},
	{"guest agent is not", "its guest agent does not answer", "install and start qemu-guest-agent in the guest"},
	{"no qemu guest agent configured", "it has no guest agent", "enable it: qm set ID --agent 1, then stop and start the VM"},
	{"guest agent not configured", "it has no guest agent", "give the domain a channel named org.qemu.guest_agent.0"},
	{"domain is not running", "it is not running", "start it: virsh start NAME"},
	{"is not running", "it is not running", "start it: qm start ID"},
	{"domain not found", "there is no such domain", "virsh list --all lists them"},
	{"failed to get domain", "there is no such domain", "virsh list --all lists them"},
	{"does not exist", "there is no such VM on this node", "qm list lists them"},
	{"timed out", "its guest agent does not answer", "restart qemu-guest-agent in the guest"},
	{"timeout", "its guest agent does not answer", "restart qemu-guest-agent in the guest"},
}

// refused explains a hypervisor's error message.
func (a Agent) refused(out assay.Output) error {
	said := strings.TrimSpace(string(out.Stderr))
	if said == "" {
		said = strings.TrimSpace(string(out.Stdout))
	}
	lower := strings.ToLower(said)
	for _, t := range troubles {
		if strings.Contains(lower, t.said) {
			return assay.WithHint(t.hint, "%s: %w", a.what, away(t.means))
		}
	}
	last := said[strings.LastIndexByte(said, '\n')+1:]
	return fmt.Errorf("%s: %w: the hypervisor said %.200q (exit status %d)", a.what, away("its guest agent cannot be asked"), last, out.Exit)
}
