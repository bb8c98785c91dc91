package bucket

import (
	_ "embed" // the schema
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/stacks/kube"
	"assay/stacks/kube/words"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a bucket of an object store, which this machine, hosts
// and pods can load.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "s3", Schema: schema,
		Where:  volume.Where{Hosts: true, Here: true, Pods: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New(kube.Secret) },
	}
}

// Storage is an object store as a tier names it.
type Storage struct {
	Endpoint    Endpoint         `yaml:"endpoint"`
	Endpoints   []Endpoint       `yaml:"endpoints"`
	Region      yamldoc.Label    `yaml:"region"`
	Style       Style            `yaml:"style"`
	CA          yamldoc.FileName `yaml:"ca"`
	Credentials Credentials      `yaml:"credentials"`
	Garage      *Garage          `yaml:"garage"`
}

// Garage is the admin API that makes a key and a bucket for the run.
type Garage struct {
	Admin Endpoint `yaml:"admin"`
	Token Token    `yaml:"token"`
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	if len(s.endpoints()) == 0 {
		return errors.New("endpoint: missing")
	}
	return nil
}

// Validate implements yamldoc.Validator.
func (g *Garage) Validate() error {
	if g.Admin == "" || g.Token == "" {
		return errors.New("admin: and token: need each other")
	}
	return nil
}

// Endpoint is an address like https://host:port, without a password in it.
type Endpoint string

// ReadYAML implements yamldoc.Reader.
func (e *Endpoint) ReadYAML(n yamldoc.Node) {
	text, ok := n.Text()
	if !ok {
		return
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || strings.Trim(u.Path, "/") != "":
		n.Fault("%s: not an address such as https://host:port", n.What)
	case u.User != nil:
		n.Fault("%s: the address must not contain a user name or password; use credentials: to say where the keys come from", n.What)
	default:
		*e = Endpoint(u.Scheme + "://" + u.Host)
	}
}

// Style is how a bucket is addressed: host/BUCKET/key, or BUCKET.host/key.
type Style string

const virtualHost Style = "virtual-host"

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Style) UnmarshalText(text []byte) error {
	return yamldoc.OneOf(s, text, "path", virtualHost)
}

var sources = sync.OnceValue(func() (p struct{ profile, env *lazyregexp.Regexp }) {
	p.profile, p.env = lazyregexp.New(`^[^\s/]+$`), lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	return p
})

// Maximum lengths of the name of a profile or variable, and of the path of a file.
const longestName, longestPath = 253, 4095

// Credentials says where keys come from: see assay.ObjectStore.
type Credentials string

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Credentials) UnmarshalText(text []byte) error {
	*c = Credentials(text)
	from, name, _ := strings.Cut(string(text), " ")
	if len(name) <= longestName && (from == "env" && string(text) == from ||
		from == "profile" && sources().profile.MatchString(name) || from == "secret" && words.IsSecret(name)) {
		return nil
	}
	return errors.New("env, profile NAME or secret NAMESPACE/NAME")
}

// Token says where a token comes from: see assay.GarageAdmin.
type Token string

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Token) UnmarshalText(text []byte) error {
	*t = Token(text)
	from, name, _ := strings.Cut(string(text), " ")
	if from == "env" && len(name) <= longestName && sources().env.MatchString(name) || from == "secret" && words.IsSecret(name) ||
		from == "file" && name != "" && len(name) <= longestPath && yamldoc.Printable(name) {
		return nil
	}
	return errors.New("env NAME, file PATH or secret NAMESPACE/NAME")
}

func (s *Storage) endpoints() []string {
	var all []string
	for _, e := range slices.Concat([]Endpoint{s.Endpoint}, s.Endpoints) {
		if e != "" {
			all = append(all, string(e))
		}
	}
	return all
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"endpoint": strings.Join(s.endpoints(), " "), "region": string(s.Region)}
}

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	store, err := s.store(c.Tier, c.Site)
	return assay.Subject{Kind: assay.KindBucket, Name: c.Tier, Store: store}, err
}

// Requires implements kube.Requirer: keys may be in secrets.
func (s *Storage) Requires() kube.Needs {
	var needs kube.Needs
	for _, ref := range s.secrets() {
		space, _, _ := strings.Cut(ref, "/")
		needs.Rights = append(needs.Rights, kube.Right{Resource: "secrets", Verbs: []string{"get"}, Namespace: space})
	}
	return needs
}

// secrets returns the Kubernetes secrets that hold keys and token, as
// NAMESPACE/NAME.
func (s *Storage) secrets() []string {
	refs := []string{string(s.Credentials)}
	if s.Garage != nil {
		refs = append(refs, string(s.Garage.Token))
	}
	var found []string
	for _, ref := range refs {
		if name, is := strings.CutPrefix(ref, "secret "); is {
			found = append(found, name)
		}
	}
	return found
}

// store returns the object store for an inventory.
func (s *Storage) store(name string, site volume.Site) (*assay.ObjectStore, error) {
	store := &assay.ObjectStore{
		Name: name, Endpoints: s.endpoints(), Region: string(s.Region), VirtualHost: s.Style == virtualHost, Credentials: string(s.Credentials),
	}
	if s.CA != "" {
		file, err := site.File(string(s.CA))
		if err != nil {
			return nil, err
		}
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
		store.CA = string(pem)
	}
	if s.Garage != nil {
		store.Garage = &assay.GarageAdmin{Address: string(s.Garage.Admin), Token: string(s.Garage.Token)}
		if name, is := strings.CutPrefix(store.Garage.Token, "file "); is {
			file, err := site.File(name)
			if err != nil {
				return nil, err
			}
			store.Garage.Token = "file " + file
		}
	}
	if len(s.secrets()) == 0 {
		return store, nil
	}
	access, err := site.Kubernetes()
	if err != nil {
		return nil, err
	}
	c, err := kube.Connect(access)
	if err != nil {
		return nil, err
	}
	// It goes into receipts: another context may be current when they are released.
	access = c.Access()
	store.Kubernetes = &access
	return store, nil
}
