package kube

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"io"
	"path"
	"runtime"
	"strings"
	"testing"
)

// untar returns the files of an archive, and fails if one precedes its
// directory or appears twice.
func untar(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(h.Name, "/")
		if _, ok := files[name]; ok {
			t.Errorf("%s is there twice", name)
		}
		if dir := path.Dir(name); dir != "." && files[dir] == nil {
			t.Errorf("%s comes before its directory", name)
		}
		files[name], err = io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestForeignImage reads an archive as containerd does: by its manifest and the
// digests in it. Its program is built for another machine.
func TestForeignImage(t *testing.T) {
	var b bytes.Buffer
	if err := writeImages(context.Background(), &b, standardImages[2:]); err != nil {
		t.Fatal(err)
	}
	archive := untar(t, b.Bytes())
	var manifest []struct {
		Config           string
		RepoTags, Layers []string
	}
	if err := json.Unmarshal(archive["manifest.json"], &manifest); err != nil || len(manifest) != 1 || len(manifest[0].Layers) != 1 {
		t.Fatalf("%s, %v", archive["manifest.json"], err)
	}
	if tags := manifest[0].RepoTags; len(tags) != 1 || tags[0] != ForeignImage {
		t.Errorf("it is called %v", tags)
	}
	var config struct {
		OS, Architecture string
		RootFS           struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	if err := json.Unmarshal(archive[manifest[0].Config], &config); err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(archive[manifest[0].Layers[0]]))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(layer)
	if config.OS != "linux" || config.Architecture != runtime.GOARCH || len(config.RootFS.DiffIDs) != 1 ||
		config.RootFS.DiffIDs[0] != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("the image says %+v", config)
	}
	program, err := elf.NewFile(bytes.NewReader(untar(t, layer)["program"]))
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	if program.Machine == own || program.Type != elf.ET_EXEC {
		t.Errorf("the foreign program is %v for %v", program.Type, program.Machine)
	}
}
