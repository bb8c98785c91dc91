package clone

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/executable"
)

// virshOfFiles stands in for virsh: it reads and writes like virsh, with files of a
// directory as volumes. A volume called full has no room.
const virshOfFiles = `#!/bin/sh
shift 3
case $1 in
vol-upload) [ "$5" != full ] && cat "$7" >"$VOLUMES/$3-$5" || { echo "error: no space left" >&2; exit 1; } ;;
vol-download) cat "$VOLUMES/$3-$5" >"$7" || exit 1 ;;
esac
`

// scripted runs a script with only these programs and virsh.
func scripted(t *testing.T, volumes, script, stdin string, programs []string, words ...string) (out string, exit int) {
	t.Helper()
	bin := t.TempDir()
	if err := executable.Write(filepath.Join(bin, "virsh"), virshOfFiles); err != nil {
		t.Fatal(err)
	}
	for _, p := range append(programs, "cat", "head", "grep", "sha256sum") {
		path, err := exec.LookPath(p)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, p)); err != nil {
			t.Fatal(err)
		}
	}
	sh := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", script, "sh"}, words...)...)
	sh.Env = []string{"PATH=" + bin, "VOLUMES=" + volumes, "LC_ALL=C"}
	sh.Stdin = strings.NewReader(stdin)
	text, _ := sh.CombinedOutput()
	return string(text), sh.ProcessState.ExitCode()
}

// An image arrives as served, with either program, and errors are told apart.
func TestScripts(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
	mux := http.NewServeMux()
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/image", http.StatusFound) })
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:10])
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	secure := httptest.NewUnstartedServer(mux)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the untrusted certificate
	secure.StartTLS()
	t.Cleanup(secure.Close)
	for _, program := range []string{"curl", "wget"} {
		for name, c := range map[string]struct {
			url, volume string
			most        int
			exit        int
		}{
			"whole":         {server.URL + "/image", "v", len(content), 0},
			"moved":         {server.URL + "/moved", "v", len(content) + 1, 0},
			"too large":     {server.URL + "/image", "v", len(content) / 2, tooLarge},
			"none":          {server.URL + "/none", "v", len(content), 2},
			"short":         {server.URL + "/short", "v", len(content), 2},
			"not trusted":   {secure.URL + "/image", "v", len(content), 2},
			"not to be had": {"http://127.0.0.1:1/image", "v", len(content), 2},
			"no room":       {server.URL + "/image", "full", len(content), 1},
		} {
			t.Run(program+" "+name, func(t *testing.T) {
				t.Parallel()
				volumes := t.TempDir()
				out, exit := scripted(t, volumes, putVolume+fetchScript, c.url+"\n", []string{program}, fmt.Sprint(c.most), "images", c.volume)
				if exit != c.exit || exit != 0 && out == "" {
					t.Errorf("status %d, want %d: %s", exit, c.exit, out)
				}
				if exit != 0 {
					return
				}
				if is, err := os.ReadFile(filepath.Join(volumes, "images-v")); err != nil || !bytes.Equal(is, content) {
					t.Errorf("%d bytes arrived of %d, %v", len(is), len(content), err)
				}
				if out, exit = scripted(t, volumes, digestScript, "", nil, "images", "v", "sha256sum"); exit != 0 || out != fmt.Sprintf("%x  -\n", sha256.Sum256(content)) {
					t.Errorf("status %d: %s", exit, out)
				}
			})
		}
	}
	t.Run("neither", func(t *testing.T) {
		if out, exit := scripted(t, t.TempDir(), putVolume+fetchScript, server.URL+"/image\n", nil, "10", "images", "v"); exit != noDownloader {
			t.Errorf("status %d: %s", exit, out)
		}
	})
	t.Run("no digest", func(t *testing.T) {
		if out, exit := scripted(t, t.TempDir(), digestScript, "", nil, "images", "none", "sha256sum"); exit != 1 {
			t.Errorf("status %d: %s", exit, out)
		}
	})
}
