package garage

import (
	"assay/lab/internal/home"
	"assay/lab/internal/marked"
)

// state is what must be known to take a lab down. It is on disk before anything
// it names is started. Its secrets open nothing but the lab.
type state struct {
	ID        string  `json:"id"` // marks the lab's processes, in their environment
	Options   Options `json:"options"`
	Nodes     []node  `json:"nodes"`
	RPCSecret string  `json:"rpc_secret"`
	Token     string  `json:"token"` // of the admin API
	Ready     bool    `json:"ready"` // everything was made
}

// node is one garage process.
type node struct {
	Name  string `json:"name"`
	S3    int    `json:"s3"` // ports on Options.Host
	RPC   int    `json:"rpc"`
	Admin int    `json:"admin"`
	Key   string `json:"key,omitempty"` // what the node is called in the cluster
}

const (
	nodesDir  = "nodes"       // NAME.toml, NAME.log, NAME/{meta,data}
	tokenFile = "admin-token" // of the admin API, for clients that read it from a file
)

func homeOf(dir string) home.Home {
	return home.Home{Dir: dir, State: "garage.json", Files: []string{nodesDir, tokenFile}}
}

// readState returns fs.ErrNotExist if there is no lab in dir.
func readState(dir string) (state, error) {
	var s state
	err := homeOf(dir).Read(&s)
	if err == nil && (len(s.ID) != 16 || len(s.Nodes) == 0) {
		err = homeOf(dir).Foreign()
	}
	return s, err
}

// processes returns the lab's processes, one per node.
func (l *Lab) processes() marked.Family {
	return marked.Family{Lab: "ASSAY_GARAGE_LAB", Name: "ASSAY_GARAGE_NODE", ID: l.state.ID}
}
