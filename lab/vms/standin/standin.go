// Package standin stands in for virsh, qm and pvesm where there is no hypervisor: it accepts
// their commands, queries a real guest agent, and prints output like theirs. Attached disks
// are loop devices, which the guest finds by serial. Only the agent is real, and no figure of
// a test may rest on the rest.
package standin

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Where is the environment variable with the agent's address, as "unix:/path" or
// "tcp:host:port"; without it, WhereFile holds the address.
const (
	Where     = "ASSAY_LAB_GUEST_AGENT"
	WhereFile = "/etc/assay-lab-guest-agent"
)

// Main acts as the program under whose name this process was started, and then does
// not return.
func Main() {
	switch filepath.Base(os.Args[0]) {
	case Plug:
		if err := plug(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "virsh":
		if words := os.Args[1:]; len(words) > 3 { // after -q -c URI, or -c URI
			os.Exit(virshCommand(words[slices.Index(words, "-c")+2:]))
		}
		os.Exit(virsh(os.Stdin))
	case "qm":
		if len(os.Args) > 2 && os.Args[1] != "guest" {
			os.Exit(qmCommand(os.Args[1:]))
		}
		os.Exit(qm(os.Args[1:]))
	case "pvesm":
		os.Exit(pvesmCommand(os.Args[1:]))
	}
}

// config is the configuration of the guest in qm config's format, abridged.
const config = "cores: 2\ncpu: host\nmemory: 2048\nname: db\nscsi0: local-lvm:vm-101-disk-0,cache=writeback,size=32G\nscsihw: virtio-scsi-single\n"

// ask sends a request to the agent and returns its reply.
func ask(question any) (answer map[string]json.RawMessage, err error) {
	where := os.Getenv(Where)
	if where == "" {
		text, err := os.ReadFile(WhereFile)
		if err != nil {
			return nil, err
		}
		where = strings.TrimSpace(string(text))
	}
	network, address, _ := strings.Cut(where, ":")
	c, err := net.Dial(network, address) //nolint:gosec // the lab sets the agent's address
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := json.NewEncoder(c).Encode(question); err != nil {
		return nil, err
	}
	return answer, json.NewDecoder(c).Decode(&answer)
}

// virsh reads one command, echoes it after its prompt, and always exits 0, as virsh
// does if its stdin is not a terminal.
func virsh(in io.Reader) int {
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return 1
	}
	fmt.Print("virsh # ", line)
	_, rest, asked := strings.Cut(line, " --cmd '")
	question, whole := strings.CutSuffix(rest, "'\n")
	domain, _, _ := strings.Cut(strings.TrimPrefix(line, "qemu-agent-command --domain '"), "' --timeout ")
	if !asked || !whole || !strings.HasPrefix(line, "qemu-agent-command --domain '"+domain+"' --timeout ") {
		fmt.Fprintln(os.Stderr, "error: unexpected data")
		return 0
	}
	runs := false
	if err := Change(directory(), func(m *Machine) { runs = m.runs(domain) }); err != nil || !runs {
		fmt.Fprintln(os.Stderr, "error: failed to get domain '"+domain+"'")
		return 0
	}
	answer, err := ask(json.RawMessage(question))
	if why := refusal(answer); err == nil && why != "" {
		var asked struct{ Execute string }
		_ = json.Unmarshal([]byte(question), &asked)
		fmt.Fprintf(os.Stderr, "error: internal error: unable to execute QEMU agent command '%s': %s\n", asked.Execute, why)
		return 0
	}
	if err != nil || answer["return"] == nil {
		fmt.Fprintln(os.Stderr, "error: Guest agent is not responding: QEMU guest agent is not connected")
		return 0
	}
	fmt.Printf("{\"return\":%s}\n\nvirsh # \n", answer["return"])
	return 0
}

// refusal returns the agent's error message, or "" if it succeeded.
func refusal(answer map[string]json.RawMessage) string {
	var why struct{ Desc string }
	_ = json.Unmarshal(answer["error"], &why)
	return why.Desc
}

type arguments map[string]any

// qm implements guest exec and guest exec-status.
func qm(words []string) int {
	if len(words) < 4 {
		return 255
	}
	var question arguments
	switch what := words[3:]; strings.Join(words[:2], " ") {
	case "guest exec":
		at := slices.Index(what, "--")
		if at < 0 || at+1 == len(what) {
			return 255
		}
		with := arguments{"path": what[at+1], "arg": what[at+2:], "capture-output": true}
		if slices.Contains(what[:at], "--pass-stdin") {
			text, err := io.ReadAll(os.Stdin)
			if err != nil || len(text) > 1<<20 {
				return 255
			}
			with["input-data"] = base64.StdEncoding.EncodeToString(text)
		}
		question = arguments{"execute": "guest-exec", "arguments": with}
	case "guest exec-status":
		pid, err := strconv.Atoi(what[0])
		if err != nil {
			return 255
		}
		question = arguments{"execute": "guest-exec-status", "arguments": arguments{"pid": pid}}
	default:
		return 255
	}
	answer, err := ask(question)
	if why := refusal(answer); err == nil && why != "" {
		fmt.Fprintln(os.Stderr, "Agent error: "+why)
		return 255
	}
	var reply map[string]any
	if err != nil || json.Unmarshal(answer["return"], &reply) != nil {
		fmt.Fprintln(os.Stderr, "QEMU guest agent is not running")
		return 255
	}
	// Proxmox VE decodes the program's output, and writes booleans as numbers.
	if exited, is := reply["exited"].(bool); is {
		reply["exited"] = map[bool]int{true: 1}[exited]
	}
	for _, stream := range []string{"out-data", "err-data"} {
		out, is := reply[stream].(string)
		if !is {
			continue
		}
		text, err := base64.StdEncoding.DecodeString(out)
		if err != nil {
			return 255
		}
		reply[stream] = string(text)
	}
	text, err := json.MarshalIndent(reply, "", "   ")
	if err != nil {
		return 255
	}
	fmt.Println(string(text))
	return 0
}
