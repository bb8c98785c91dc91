package credentials

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"assay"
)

// Keys sign requests. Printing them reveals nothing.
type Keys struct {
	Access  string
	Secret  string
	Session string // "" where there is none
}

func (Keys) String() string { return "(credentials)" }

// GoString is String: neither prints a secret.
func (k Keys) GoString() string { return k.String() }

// Secrets reads a Kubernetes secret: its values by their keys.
type Secrets func(ctx context.Context, of assay.KubernetesAccess, namespace, name string) (map[string][]byte, error)

// Names that the keys may have in a secret; the first one present counts.
var (
	accessNames  = []string{"AWS_ACCESS_KEY_ID", "access-key", "access_key", "accessKey", "access-key-id", "accesskey", "rootUser", "CONSOLE_ACCESS_KEY"}
	secretNames  = []string{"AWS_SECRET_ACCESS_KEY", "secret-key", "secret_key", "secretKey", "secret-access-key", "secretkey", "rootPassword", "CONSOLE_SECRET_KEY"}
	sessionNames = []string{"AWS_SESSION_TOKEN", "session-token", "sessionToken"}
	tokenNames   = []string{"admin-token", "admin_token", "adminToken", "GARAGE_ADMIN_TOKEN"}
)

// Of returns the keys that a store's reference names: "env", "profile NAME",
// "secret NAMESPACE/NAME", or "" for the environment and then the default
// profile.
func Of(ctx context.Context, store assay.ObjectStore, secrets Secrets) (Keys, error) {
	kind, name, err := reference(store.Credentials)
	if err != nil {
		return Keys{}, fmt.Errorf("store %s: credentials: %w", store.Name, err)
	}
	var k Keys
	switch kind {
	case "":
		if k = fromEnvironment(); k.Access == "" {
			k, err = fromProfile("")
		}
	case "env":
		if k = fromEnvironment(); k.Access == "" || k.Secret == "" {
			err = assay.WithHint("export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set")
		}
	case "profile":
		k, err = fromProfile(name)
	case "secret":
		k, err = fromSecret(ctx, store.Kubernetes, name, secrets)
	default:
		err = unknown()
	}
	if err == nil && (k.Access == "" || k.Secret == "") {
		err = assay.WithHint("export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use profile NAME or secret NAMESPACE/NAME",
			"one of the two keys is missing")
	}
	if err != nil {
		return Keys{}, fmt.Errorf("store %s: credentials: %w", store.Name, err)
	}
	return k, nil
}

// Token returns the token of a Garage's admin API, from "env NAME", "file PATH" or
// "secret NAMESPACE/NAME".
func Token(ctx context.Context, store assay.ObjectStore, secrets Secrets) (string, error) {
	kind, name, err := reference(store.Garage.Token)
	token := ""
	switch {
	case err != nil:
	case kind == "env" && name != "":
		if token = os.Getenv(name); token == "" {
			err = assay.WithHint("export "+name, "%s is not set", name)
		}
	case kind == "file" && name != "":
		var text []byte
		text, err = os.ReadFile(name)
		token = string(text)
	case kind == "secret":
		var values map[string][]byte
		if values, err = read(ctx, store.Kubernetes, name, secrets); err == nil {
			if token = first(values, tokenNames); token == "" {
				err = assay.WithHint("its key is admin-token", "secret %s contains no token", name)
			}
		}
	default:
		err = assay.WithHint("use env NAME, file PATH or secret NAMESPACE/NAME", "unknown token source %q", kind)
	}
	token = strings.TrimSpace(token)
	if err == nil && token == "" {
		err = errors.New("it is empty")
	}
	if err != nil {
		return "", fmt.Errorf("store %s: token of garage's admin API: %w", store.Name, err)
	}
	return token, nil
}

// reference splits "profile NAME". Only a file's name may have blanks. An invalid
// reference may itself be a secret, so it is not repeated.
func reference(text string) (kind, name string, err error) {
	kind, name, _ = strings.Cut(strings.TrimSpace(text), " ")
	name = strings.TrimSpace(name)
	switch kind {
	case "", "file":
		return kind, name, nil
	case "env", "profile", "secret":
		if !strings.ContainsAny(name, " \t") {
			return kind, name, nil
		}
	}
	return "", "", unknown()
}

func unknown() error {
	return assay.WithHint("use env, profile NAME or secret NAMESPACE/NAME; never put the keys themselves into a file of assay",
		"unknown source of credentials")
}

func fromEnvironment() Keys {
	return Keys{Access: os.Getenv("AWS_ACCESS_KEY_ID"), Secret: os.Getenv("AWS_SECRET_ACCESS_KEY"), Session: os.Getenv("AWS_SESSION_TOKEN")}
}

func fromSecret(ctx context.Context, of *assay.KubernetesAccess, name string, secrets Secrets) (Keys, error) {
	values, err := read(ctx, of, name, secrets)
	if err != nil {
		return Keys{}, err
	}
	k := Keys{Access: first(values, accessNames), Secret: first(values, secretNames), Session: first(values, sessionNames)}
	if k.Access == "" || k.Secret == "" {
		return Keys{}, assay.WithHint("its keys are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or access-key and secret-key", "secret %s contains no object-store keys", name)
	}
	return k, nil
}

func read(ctx context.Context, of *assay.KubernetesAccess, name string, secrets Secrets) (map[string][]byte, error) {
	namespace, name, found := strings.Cut(name, "/")
	switch {
	case !found || namespace == "" || name == "":
		return nil, assay.WithHint("secret NAMESPACE/NAME", "no secret given")
	case secrets == nil:
		return nil, fmt.Errorf("secret %s/%s: no Kubernetes to read it from", namespace, name)
	}
	if of == nil {
		of = new(assay.KubernetesAccess)
	}
	values, err := secrets(ctx, *of, namespace, name)
	if err != nil {
		return nil, fmt.Errorf("secret %s/%s: %w", namespace, name, err)
	}
	return values, nil
}

// first returns the value of the first name that has one.
func first(values map[string][]byte, names []string) string {
	for _, name := range names {
		if v := strings.TrimSpace(string(values[name])); v != "" {
			return v
		}
	}
	return ""
}
