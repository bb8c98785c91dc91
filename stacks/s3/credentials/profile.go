package credentials

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay"
)

// fromProfile reads a profile as the AWS command line does: from the
// credentials file, then from the config file, where its section is called
// "profile NAME". "" means AWS_PROFILE, else "default".
func fromProfile(name string) (Keys, error) {
	name = cmp.Or(name, os.Getenv("AWS_PROFILE"), "default")
	home, _ := os.UserHomeDir() // "" where there is none: no file is found then
	files := []struct{ path, section string }{
		{cmp.Or(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")), name},
		{cmp.Or(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")), "profile " + name},
	}
	if name == "default" {
		files[1].section = name
	}
	for _, f := range files {
		text, err := os.ReadFile(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Keys{}, err
		}
		values := section(text, f.section)
		k := Keys{Access: values["aws_access_key_id"], Secret: values["aws_secret_access_key"], Session: values["aws_session_token"]}
		if k.Access != "" && k.Secret != "" {
			return k, nil
		}
	}
	return Keys{}, assay.WithHint(fmt.Sprintf("create it with: aws configure --profile %s; or export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", name),
		"neither %s nor %s has a profile %q with keys", files[0].path, files[1].path, name)
}

// section parses one section of an INI file as botocore does: names in lower
// case, comments on lines of their own.
func section(text []byte, name string) map[string]string {
	values := map[string]string{}
	inside := false
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			inside = strings.Join(strings.Fields(strings.Trim(line, "[]")), " ") == name
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if inside && found && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			values[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
		}
	}
	return values
}
