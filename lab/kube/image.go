package kube

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"assay/lab/internal/home"
)

// The container images that are on each node. No registry has them: a pull fails,
// so pods need imagePullPolicy Never or IfNotPresent.
const (
	// Image is a Debian with a shell, the usual programs, and fio, from this
	// machine's own packages.
	Image = "assay.lab/debian:12"
	// ForeignImage claims to be for this machine's architecture, but is not: its
	// only program, /program, fails with "exec format error".
	ForeignImage = "assay.lab/foreign:1"

	pauseImage = "assay.lab/pause:1"
)

// image is an image of one layer.
type image struct {
	name    string
	command []string
	files   func(context.Context) ([]entry, error)
}

var standardImages = []image{
	{pauseImage, []string{"/pause", "infinity"}, pauseFiles},
	{Image, []string{"/bin/sh"}, debianFiles},
	{ForeignImage, []string{"/program"}, foreignFiles},
}

// entry is one file of a layer: a directory, a link, a copy of a file of this
// machine, or literal content.
type entry struct {
	name    string // without a leading slash
	mode    int64
	link    string // target of a symbolic link
	from    string // a file of this machine
	content []byte
}

// images returns the cache directory that holds images.tar, and makes it if it
// is missing or of packages other than those installed.
func images(ctx context.Context) (string, error) {
	cache, err := home.Cache()
	if err != nil {
		return "", err
	}
	sum, err := packagesSum(ctx)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "kube-images-"+sum)
	file := filepath.Join(dir, "images.tar")
	if _, err := os.Stat(file); err == nil {
		return dir, nil
	}
	old, _ := filepath.Glob(filepath.Join(cache, "kube-images-*"))
	for _, d := range old {
		_ = os.RemoveAll(d) // an older one
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	// All or nothing: written in full, then renamed.
	next, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return "", err
	}
	defer os.Remove(next.Name())
	defer next.Close()
	if err := writeImages(ctx, next, standardImages); err != nil {
		return "", fmt.Errorf("make the container images: %w", err)
	}
	if err := next.Close(); err != nil {
		return "", err
	}
	return dir, os.Rename(next.Name(), file)
}

// writeImages writes an archive in the format of docker save, which containerd
// reads.
func writeImages(ctx context.Context, to io.Writer, all []image) error {
	images := map[name.Reference]v1.Image{}
	for _, i := range all {
		built, err := i.build(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", i.name, err)
		}
		tag, err := name.NewTag(i.name)
		if err != nil {
			return err
		}
		images[tag] = built
	}
	return tarball.MultiRefWrite(images, to)
}

// build makes the image with its one layer, which is generated anew each time it is
// read.
func (i image) build(ctx context.Context) (v1.Image, error) {
	files, err := i.files(ctx)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		reader, writer := io.Pipe()
		go func() { writer.CloseWithError(writeLayer(writer, files)) }()
		return reader, nil
	}, tarball.WithCompressedCaching)
	if err != nil {
		return nil, err
	}
	blank, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{
		OS: "linux", Architecture: runtime.GOARCH, RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{Cmd: i.command, Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}},
	})
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(blank, layer)
}

// writeLayer writes files in the order given.
func writeLayer(to io.Writer, files []entry) error {
	layer := tar.NewWriter(to)
	for _, f := range files {
		if err := writeEntry(layer, f); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return layer.Close()
}

func writeEntry(layer *tar.Writer, f entry) error {
	header := &tar.Header{Name: f.name, Mode: f.mode, Linkname: f.link, Size: int64(len(f.content)), Typeflag: tar.TypeReg}
	switch {
	case f.link != "":
		header.Typeflag, header.Mode = tar.TypeSymlink, 0o777
	case f.from != "":
		file, err := os.Open(f.from)
		if err != nil {
			return err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		header.Size, header.Mode = info.Size(), int64(info.Mode().Perm())
		if err := layer.WriteHeader(header); err != nil {
			return err
		}
		_, err = io.Copy(layer, file)
		return err
	case f.content == nil:
		header.Typeflag = tar.TypeDir
	}
	if err := layer.WriteHeader(header); err != nil {
		return err
	}
	_, err := layer.Write(f.content)
	return err
}

// importImages imports the images into a node that lacks them.
func (l *Lab) importImages(ctx context.Context, node string) error {
	return l.await(ctx, "no images for "+node, node, Containerd, func() error {
		has, err := l.ctr(ctx, node, "images", "list", "--quiet")
		if err != nil {
			return err
		}
		for _, i := range standardImages {
			if !hasLine(has, i.name) {
				_, err := l.ctr(ctx, node, "images", "import", "/opt/images/images.tar")
				return err
			}
		}
		return nil
	})
}

// Tag gives Image another name on every node, such as
// docker.io/library/debian:12, so that a pod with that name runs it.
func (l *Lab) Tag(ctx context.Context, name string) error {
	var failed error
	for _, node := range l.Nodes() {
		_, err := l.ctr(ctx, node, "images", "tag", "--force", Image, name)
		failed = errors.Join(failed, err)
	}
	return failed
}

// Untag removes a name from an image, on the named nodes or on all: a pod with
// that name finds no image there.
func (l *Lab) Untag(ctx context.Context, name string, nodes ...string) error {
	var failed error
	if len(nodes) == 0 {
		nodes = l.Nodes()
	}
	for _, node := range nodes {
		_, err := l.ctr(ctx, node, "images", "remove", "--sync", name)
		failed = errors.Join(failed, err)
	}
	return failed
}

func (l *Lab) ctr(ctx context.Context, node string, argv ...string) (string, error) {
	return l.Run(ctx, node, append([]string{"ctr", "--namespace", "k8s.io"}, argv...)...)
}
