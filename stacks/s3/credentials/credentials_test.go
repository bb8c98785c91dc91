package credentials_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/stacks/s3/credentials"
)

const ini = `# of mine
[default]
aws_access_key_id = DEFAULT
aws_secret_access_key=s3cr3t/default==
[ work ]
AWS_ACCESS_KEY_ID = WORK
aws_secret_access_key = s3cr3t-work
aws_session_token = session
[half]
aws_access_key_id = HALF
`

const config = `[profile elsewhere]
aws_access_key_id = ELSE
aws_secret_access_key = s3cr3t-else
; aws_secret_access_key = no
`

// home sets up the files of an AWS command line user, and an empty environment.
func home(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", dir)
	if err := errors.Join(os.Mkdir(filepath.Join(dir, ".aws"), 0o700), os.WriteFile(filepath.Join(dir, ".aws", "credentials"), []byte(ini), 0o600),
		os.WriteFile(filepath.Join(dir, ".aws", "config"), []byte(config), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func secrets(_ context.Context, of assay.KubernetesAccess, namespace, name string) (map[string][]byte, error) {
	switch {
	case of.Context != "lab":
		return nil, fmt.Errorf("no context %q", of.Context)
	case namespace == "store" && name == "keys":
		return map[string][]byte{"access-key": []byte("IN-SECRET\n"), "secret-key": []byte("s3cr3t-kube"), "admin-token": []byte("s3cr3t-token")}, nil
	}
	return map[string][]byte{"x": nil}, nil
}

func TestOf(t *testing.T) {
	lab := &assay.KubernetesAccess{Context: "lab"}
	for _, c := range []struct {
		from       string
		set        map[string]string
		want       credentials.Keys
		says, hint string
	}{
		{"", nil, credentials.Keys{Access: "DEFAULT", Secret: "s3cr3t/default=="}, "", ""},
		{"", map[string]string{"AWS_PROFILE": "work"}, credentials.Keys{Access: "WORK", Secret: "s3cr3t-work", Session: "session"}, "", ""},
		{"", map[string]string{"AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "s3cr3t-env"}, credentials.Keys{Access: "E", Secret: "s3cr3t-env"}, "", ""},
		{"env", nil, credentials.Keys{}, "AWS_ACCESS_KEY_ID", "export"},
		{"", map[string]string{"AWS_ACCESS_KEY_ID": "E"}, credentials.Keys{}, "one of the two keys is missing", "export"},
		{"profile elsewhere", nil, credentials.Keys{Access: "ELSE", Secret: "s3cr3t-else"}, "", ""},
		{"profile half", nil, credentials.Keys{}, `profile "half"`, "aws configure --profile half"},
		{"profile work", map[string]string{"AWS_SHARED_CREDENTIALS_FILE": "/nowhere"}, credentials.Keys{}, "/nowhere", "aws configure"},
		{"secret store/keys", nil, credentials.Keys{Access: "IN-SECRET", Secret: "s3cr3t-kube"}, "", ""},
		{"secret store/none", nil, credentials.Keys{}, "contains no object-store keys", "AWS_ACCESS_KEY_ID"},
		{"secret keys", nil, credentials.Keys{}, "no secret given", "NAMESPACE/NAME"},
		{"AKIAS3CR3T", nil, credentials.Keys{}, "unknown source", "profile NAME"},
		{"profile work else", nil, credentials.Keys{}, "unknown source", "profile NAME"},
		{"file s3cr3t of mine", nil, credentials.Keys{}, "unknown source", "profile NAME"},
		{"AKIAS3CR3T s3cr3t", nil, credentials.Keys{}, "unknown source", "profile NAME"},
	} {
		t.Run(c.from+fmt.Sprint(c.set), func(t *testing.T) {
			home(t)
			for k, v := range c.set {
				t.Setenv(k, v)
			}
			got, err := credentials.Of(t.Context(), assay.ObjectStore{Name: "garage", Credentials: c.from, Kubernetes: lab}, secrets)
			if got != c.want || (err == nil) != (c.says == "") {
				t.Fatalf("access key %q of %q, error %v", got.Access, c.want.Access, err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "garage") || !strings.Contains(assay.Hint(err), c.hint)) {
				t.Errorf("%v (hint: %s)", err, assay.Hint(err))
			}
			if text := fmt.Sprintf("%v %+v %#v %v %s", got, got, got, err, assay.Hint(err)); strings.Contains(strings.ToLower(text), "s3cr3t") {
				t.Errorf("a secret is printed: %s", text)
			}
		})
	}
}

func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	blanks := filepath.Join(t.TempDir(), "the  admin token")
	if err := errors.Join(os.WriteFile(file, []byte("s3cr3t-file\n"), 0o600), os.WriteFile(blanks, []byte("s3cr3t-blanks"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GARAGE_TOKEN", "s3cr3t-env")
	t.Setenv("EMPTY", "")
	for from, want := range map[string]string{
		"env GARAGE_TOKEN": "s3cr3t-env", "file " + file: "s3cr3t-file", "secret store/keys": "s3cr3t-token",
		"file  " + blanks: "s3cr3t-blanks", "env GARAGE_TOKEN GARAGE_TOKEN": "", "secret store/keys s3cr3t": "",
		"env EMPTY": "", "file /nowhere": "", "secret store/none": "", "": "", "s3cr3t": "", "profile x": "",
	} {
		store := assay.ObjectStore{Name: "garage", Garage: &assay.GarageAdmin{Token: from}, Kubernetes: &assay.KubernetesAccess{Context: "lab"}}
		got, err := credentials.Token(t.Context(), store, secrets)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v, and it is the wrong one", from, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("a secret is printed: %v", err)
		}
	}
	if _, err := credentials.Of(t.Context(), assay.ObjectStore{Credentials: "secret a/b"}, nil); err == nil {
		t.Error("a secret was read from no Kubernetes")
	}
}
