package linstor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/oneline"
)

// patience bounds one command: the controller answers when all satellites have.
const patience = 5 * time.Minute

// ask runs the client on a host and returns what it printed.
func (h how) ask(ctx context.Context, at assay.Place, words ...string) ([]byte, error) {
	argv := []string{"linstor", "-m", "--output-version", "v1"}
	if h.Controllers != "" {
		argv = append(argv, "--controllers", h.Controllers)
	}
	what := "linstor " + strings.Join(words[:min(2, len(words))], " ")
	out, err := at.Run(ctx, assay.Cmd{Argv: append(argv, words...), Env: []string{"LC_ALL=C"}, Timeout: patience})
	switch {
	case errors.Is(err, assay.ErrNoCommand), err == nil && out.Exit == 127:
		return nil, assay.WithHint("install linstor-client there", "%s: %s: %w", at.Host().Name, what, assay.ErrNoCommand)
	case err != nil:
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, err)
	case out.Exit == 0:
		return out.Stdout, nil
	}
	if refused := readAnswer(out.Stdout); refused != nil {
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, refused)
	}
	said := oneline.Brief(append(out.Stdout, out.Stderr...))
	if strings.Contains(said, "Unable to connect") || strings.Contains(said, "onnection refused") {
		return nil, assay.WithHint("start linstor-controller, or name it with controllers:", "%s: %s: %s", at.Host().Name, what, said)
	}
	return nil, fmt.Errorf("%s: %s: exit %d: %s", at.Host().Name, what, out.Exit, said)
}

// tell is ask for what is to be done: an answer that says it was not is an error.
func (h how) tell(ctx context.Context, at assay.Place, words ...string) error {
	text, err := h.ask(ctx, at, words...)
	if err == nil {
		if refused := readAnswer(text); refused != nil {
			err = fmt.Errorf("%s: linstor %s: %w", at.Host().Name, strings.Join(words[:2], " "), refused)
		}
	}
	if err != nil && (strings.Contains(err.Error(), "Not enough") || strings.Contains(err.Error(), "not enough")) {
		return assay.WithHint("linstor storage-pool list shows what is free", "%w", err)
	}
	return err
}

// firstError is the least return code of an error: its two highest bits are set (MASK_ERROR
// of LINSTOR's API). A warning has the first alone, and is less.
const firstError = -(1 << 62)

// readAnswer is the first error of an answer; nil where there is none.
func readAnswer(text []byte) error {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil
	}
	var found error
	flatten(doc, 0, func(n jsondoc.Node) {
		code, told := n.At("ret_code").Number()
		if !told || code < firstError || code >= 0 || found != nil {
			return
		}
		words := n.At("message").Text()
		if cause := n.At("cause").Text(); cause != "" {
			words += ": " + cause
		}
		found = errors.New(oneline.Brief([]byte(words)))
	})
	return found
}

// flatten calls each with the objects in lists: how deep those are nested depends on the
// version of the client.
func flatten(n jsondoc.Node, depth int, each func(jsondoc.Node)) {
	if n.IsObject() {
		each(n)
		return
	}
	for _, e := range n.List() {
		if depth < 4 {
			flatten(e, depth+1, each)
		}
	}
}

// node is a machine of the cluster.
type node struct{ name, uname, status string }

// readNodes reads linstor -m node list.
func readNodes(text []byte) ([]node, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	var all []node
	flatten(doc, 0, func(n jsondoc.Node) {
		one := node{name: n.At("name").Text(), uname: n.At("props", "NodeUname").Text(), status: n.At("connection_status").Text()}
		if one.name != "" && n.At("type").Text() != "CONTROLLER" {
			all = append(all, one)
		}
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no node", assay.ErrNoOutput)
	}
	return all, nil
}

// replica is a resource on one node.
type replica struct {
	node, device, state string
	diskless            bool
}

// ready reports whether what is written there is in sync, or need not be.
func (r replica) ready() bool {
	return r.state == "UpToDate" || r.diskless && (r.state == "Diskless" || r.state == "TieBreaker")
}

// readResources reads linstor -m resource list of one resource.
func readResources(text []byte, name string) ([]replica, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	var all []replica
	flatten(doc, 0, func(n jsondoc.Node) {
		if !strings.EqualFold(n.At("name").Text(), name) || n.At("node_name").Text() == "" {
			return
		}
		r := replica{node: n.At("node_name").Text()}
		for _, flag := range n.At("flags").List() {
			switch flag.Text() {
			case "DISKLESS", "DRBD_DISKLESS", "TIE_BREAKER":
				r.diskless = true
			}
		}
		for _, v := range n.At("volumes").List() {
			r.device, r.state = v.At("device_path").Text(), v.At("state", "disk_state").Text()
			break // it has one
		}
		if !strings.HasPrefix(r.device, "/dev/drbd") {
			r.device = ""
		}
		all = append(all, r)
	})
	return all, nil
}

// readDefinitions reads the names of linstor -m resource-definition list.
func readDefinitions(text []byte) ([]string, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	if !doc.IsList() {
		return nil, fmt.Errorf("%w: no list", assay.ErrNoOutput)
	}
	var all []string
	flatten(doc, 0, func(n jsondoc.Node) {
		if name := n.At("name").Text(); name != "" {
			all = append(all, name)
		}
	})
	return all, nil
}

// readFree is the least that is free in a storage pool on the nodes that have it, B; of no
// pool, the most that any has.
func readFree(text []byte, pool string) (int64, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return 0, err
	}
	free := int64(-1)
	flatten(doc, 0, func(n jsondoc.Node) {
		kib, told := n.At("free_capacity").Number()
		if !told || kib < 0 || kib > 1<<50 || n.At("provider_kind").Text() == "DISKLESS" {
			return
		}
		bytes := int64(kib) << 10
		switch {
		case pool == "":
			free = max(free, bytes)
		case n.At("storage_pool_name").Text() == pool && (free < 0 || bytes < free):
			free = bytes
		}
	})
	if free < 0 {
		return 0, fmt.Errorf("%w: nothing of its free space", assay.ErrNoOutput)
	}
	return free, nil
}
