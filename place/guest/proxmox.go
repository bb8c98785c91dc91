package guest

import (
	"bytes"
	"strconv"

	"assay"
	"assay/internal/lazyregexp"
)

// A VM id of Proxmox VE.
var vmID = lazyregexp.New(`^[1-9][0-9]{2,8}$`)

// proxmox returns the agent of a Proxmox VE VM, reached on the VM's node.
func proxmox(id string) Agent {
	a := Agent{what: "VM " + id, text: func(s string) ([]byte, error) { return []byte(s), nil }}
	a.exec = func(argv []string, stdin []byte) assay.Cmd {
		words := []string{"qm", "guest", "exec", id, "--synchronous", "0"}
		if stdin != nil {
			words = append(words, "--pass-stdin", "1")
		}
		return assay.Cmd{Argv: append(append(words, "--"), argv...), Stdin: stdin}
	}
	a.status = func(pid int) assay.Cmd {
		return assay.Cmd{Argv: []string{"qm", "guest", "exec-status", id, strconv.Itoa(pid)}}
	}
	a.answer = func(out assay.Output) ([]byte, error) {
		if at := bytes.IndexByte(out.Stdout, '{'); out.Exit == 0 && at >= 0 {
			return out.Stdout[at:], nil
		}
		return nil, a.refused(out)
	}
	return a
}
