package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/stacks/s3/loadgen"
)

// Schema names the format of jobs and replies. Both ends are the same binary,
// but later versions read old transcripts.
const Schema = "assay.agent/1"

// Verb says what a job does.
type Verb string

// The verbs.
const (
	Hello  Verb = "hello"   // says who answers
	Make   Verb = "make"    // creates key and bucket, and tests them
	LayOut Verb = "lay-out" // makes room, and writes the objects that a load reads
	Run    Verb = "run"     // runs the load, and does nothing else
	Remove Verb = "remove"  // removes bucket and key
)

// Job is one thing to do.
type Job struct {
	Do Verb `json:"do"`
	// Dir is the agent's directory, absolute: it holds what is kept between
	// jobs.
	Dir   string `json:"dir,omitempty"`
	Store *Store `json:"store,omitempty"` // of Make and Remove
	// Bucket must be the one that Make created, so that nothing else is loaded.
	Bucket string `json:"bucket,omitempty"`
	// Set names the objects of a load: loads with the same set reuse them.
	Set     string          `json:"set,omitempty"`
	Load    *loadgen.Load   `json:"load,omitempty"`
	Payload loadgen.Payload `json:"payload,omitempty"`
	// Space bounds what all loads together keep in the bucket, in bytes; 0 means
	// no bound. A load also has its own bound.
	Space int64 `json:"space,omitempty"`
	// Within bounds laying objects out, so there may be fewer. 0 means no
	// bound.
	Within time.Duration `json:"within,omitempty"`
	// Tidy bounds removing what earlier loads wrote; a later job continues. 0 means
	// no bound.
	Tidy time.Duration `json:"tidy,omitempty"`
	// Bound ends the agent; 0 means no bound.
	Bound time.Duration `json:"bound,omitempty"`
}

// Store is an object store with its secrets. Printing it reveals nothing.
type Store struct {
	Endpoints   []string `json:"endpoints"`
	Region      string   `json:"region,omitempty"`
	VirtualHost bool     `json:"virtual_host,omitempty"`
	CA          string   `json:"ca,omitempty"` // PEM
	Bucket      string   `json:"bucket"`
	// Owner is written into the bucket, so that no other one is ever removed.
	Owner  string  `json:"owner"`
	Keys   *Keys   `json:"keys,omitempty"` // nil where they are in Dir, or Garage makes them
	Garage *Garage `json:"garage,omitempty"`
}

// Keys sign requests.
type Keys struct {
	Access  string `json:"access"`
	Secret  string `json:"secret"`
	Session string `json:"session,omitempty"`
}

// Garage is the admin API of a Garage. Its key has the bucket's name.
type Garage struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

func (Store) String() string  { return "(store)" }
func (Keys) String() string   { return "(credentials)" }
func (Garage) String() string { return "(garage)" }

// GoString is String: neither prints a secret.
func (s Store) GoString() string { return s.String() }

// GoString is String.
func (k Keys) GoString() string { return k.String() }

// GoString is String.
func (g Garage) GoString() string { return g.String() }

// secrets returns what no reply may contain.
func (s *Store) secrets() []string {
	if s == nil {
		return nil
	}
	var all []string
	if s.Keys != nil {
		all = append(all, s.Keys.Access, s.Keys.Secret, s.Keys.Session)
	}
	if s.Garage != nil {
		all = append(all, s.Garage.Token)
	}
	return all
}

// Tick is the line that a measuring job prints every second.
type Tick struct {
	At    int   `json:"second"` // when it ended, from the start
	Ops   int64 `json:"ops"`    // in this second
	Bytes int64 `json:"bytes"`
}

// Reply is the last line printed.
type Reply struct {
	Schema string `json:"schema"`
	Do     Verb   `json:"do"`
	// From Hello: the version, the architecture as Go names it, and the SHA-256
	// of the program's file.
	Version string `json:"version,omitempty"`
	Arch    string `json:"arch,omitempty"`
	SHA256  string `json:"sha256,omitempty"`
	// Objects is how many the load has, and Prepared how long this job took to
	// lay them out, in seconds.
	Objects  int     `json:"objects,omitempty"`
	Prepared float64 `json:"prepared,omitempty"`
	// Lead is the time from the start of the program to that of the load, and Tail
	// that from the load's end to this reply, in seconds: less than 0 if a fixed
	// rate had no operation in its last moments.
	Lead   float64         `json:"lead,omitempty"`
	Tail   float64         `json:"tail,omitempty"`
	Result *loadgen.Result `json:"result,omitempty"`
	// Removed is how many objects were in the bucket.
	Removed int      `json:"removed,omitempty"`
	Failed  *Problem `json:"failed,omitempty"`
}

// Problem is why a job was not done, or not finished.
type Problem struct {
	Class loadgen.Class `json:"class,omitempty"` // "" where the store is not at fault
	Text  string        `json:"text"`
	Hint  string        `json:"hint,omitempty"`
}

// hide removes secrets from what may quote the store. The rest of a reply is
// assay's own words and numbers, where a user's access key may happen to stand.
func (r *Reply) hide(secrets []string) {
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may contain another
	var pairs []string
	for _, secret := range secrets {
		if len(secret) > 3 {
			pairs = append(pairs, secret, "(hidden)")
		}
	}
	hidden := strings.NewReplacer(pairs...)
	if r.Failed != nil {
		r.Failed.Text, r.Failed.Hint = hidden.Replace(r.Failed.Text), hidden.Replace(r.Failed.Hint)
	}
	if r.Result == nil {
		return
	}
	r.Result.Stopped = hidden.Replace(r.Result.Stopped)
	for _, figures := range [][]loadgen.Figure{r.Result.Ops, r.Result.Endpoints} {
		for _, f := range figures {
			for i := range f.Errors {
				f.Errors[i].Example = hidden.Replace(f.Errors[i].Example)
			}
		}
	}
}

// ReadReply parses the reply in an agent's output. ok is false if there is
// none.
func ReadReply(stdout []byte) (reply Reply, line int, ok bool) {
	for number, text := range lines(stdout) {
		var r Reply
		if json.Unmarshal(text, &r) == nil && r.Schema == Schema {
			reply, line, ok = r, number+1, true
		}
	}
	return reply, line, ok
}

// ReadTick parses a progress line of an agent.
func ReadTick(line []byte) (Tick, bool) {
	var t Tick
	err := json.Unmarshal(line, &t)
	return t, err == nil && t.At > 0 && t.Ops >= 0
}

func (j Job) check() error {
	switch {
	case j.Do == Hello:
		return nil
	case j.Dir == "" || j.Dir[0] != '/':
		return fmt.Errorf("the job has no directory")
	case (j.Do == Make || j.Do == Remove) && (j.Store == nil || len(j.Store.Endpoints) == 0 || j.Store.Bucket == "" || j.Store.Owner == ""):
		return fmt.Errorf("the job has no store")
	case (j.Do == LayOut || j.Do == Run) && (j.Load == nil || !setName.MatchString(j.Set)):
		return fmt.Errorf("the job has no load")
	}
	return nil
}
