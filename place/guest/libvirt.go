package guest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/shell"
)

// A domain's name is quoted for virsh, and must not look like an option, nor be a number:
// virsh takes 7 for the domain with that ID, which may be another one after each start.
var domainName = lazyregexp.New(`^(?:[A-Za-z_.]|[0-9]+[A-Za-z_.+:@-])[A-Za-z0-9_.+:@-]{0,99}$`)

// libvirt returns the agent of a domain of the system's libvirt. Requests go to virsh's
// stdin, since they may contain a secret.
func libvirt(domain string) Agent {
	a := Agent{what: "domain " + domain, text: base64.StdEncoding.DecodeString}
	ask := func(question any) assay.Cmd {
		text, err := json.Marshal(question)
		if err != nil {
			panic(err) // words and numbers
		}
		line := "qemu-agent-command --domain " + shell.Quote(domain) + " --timeout 20 --cmd " + shell.Quote(escaped(text)) + "\n"
		return assay.Cmd{Argv: []string{"virsh", "-q", "-c", "qemu:///system"}, Stdin: []byte(line)}
	}
	type arguments map[string]any
	a.exec = func(argv []string, stdin []byte) assay.Cmd {
		with := arguments{"path": argv[0], "arg": argv[1:], "capture-output": true}
		if stdin != nil {
			with["input-data"] = base64.StdEncoding.EncodeToString(stdin)
		}
		return ask(arguments{"execute": "guest-exec", "arguments": with})
	}
	a.status = func(pid int) assay.Cmd {
		return ask(arguments{"execute": "guest-exec-status", "arguments": arguments{"pid": pid}})
	}
	// virsh echoes its input after its prompt, and always exits 0.
	a.answer = func(out assay.Output) ([]byte, error) {
		for line := range bytes.Lines(out.Stdout) {
			var reply struct {
				Return json.RawMessage `json:"return"`
			}
			if bytes.HasPrefix(line, []byte(`{"return"`)) && json.Unmarshal(line, &reply) == nil {
				return reply.Return, nil
			}
		}
		return nil, a.refused(assay.Output{Stderr: out.Stderr, Exit: out.Exit})
	}
	return a
}

// escaped escapes, in JSON, what virsh's shell-like parser cannot hold, and removes
// newlines.
func escaped(text []byte) string {
	return strings.NewReplacer("'", `\u0027`, "\n", "").Replace(string(text))
}
