package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"assay/lab/garage"
	"assay/stacks/s3/loadgen"
)

// s3Rclone is rclone limited to the same work: it uploads files that lie in
// memory (copy), and downloads objects to compute their CRC-32 (hashsum), which
// writes nothing. Its HEADs and destination checks are off, and bodies are not
// signed, as with assay. It has no time limit: it processes all files of a size
// once. The time to copy nothing is subtracted.
type s3Rclone struct {
	program string
	store   s3Store
	files   string // directory of writeS3Files
}

func (s3Rclone) name() string { return "rclone" }

func (r s3Rclone) layOut(ctx context.Context, size int64) error {
	_, err := r.run(ctx, r.upload(size, 8, "laid-out")...)
	return err
}

func (r s3Rclone) load(ctx context.Context, c s3Cell) (s3Done, error) {
	words := r.upload(c.size, c.clients, strconv.Itoa(c.clients))
	if c.op == loadgen.Get {
		words = []string{"hashsum", "crc32", "--download", r.remote(c.size, "laid-out"), "--transfers", strconv.Itoa(c.clients), "--checkers", strconv.Itoa(c.clients)}
	}
	start, err := r.run(ctx, "copy", filepath.Join(r.files, "none"), r.remote(0, "none"), "--no-check-dest")
	if err != nil {
		return s3Done{}, err
	}
	all, err := r.run(ctx, words...)
	return s3Done{int64(files(c.size)), all.wall - start.wall, all.cpu - start.cpu}, err
}

func (r s3Rclone) upload(size int64, clients int, to string) []string {
	return []string{"copy", s3Files(r.files, size), r.remote(size, to), "--no-check-dest", "--transfers", strconv.Itoa(clients)}
}

// remote returns the path of objects of a size. The remote's settings are in
// the environment.
func (r s3Rclone) remote(size int64, name string) string {
	return fmt.Sprintf("bench:%s/rclone/%d/%s", peersBucket, size, name)
}

func (r s3Rclone) run(ctx context.Context, words ...string) (s3Done, error) {
	env := append(os.Environ(), "LC_ALL=C", "RCLONE_CONFIG=")
	for name, value := range map[string]string{
		"TYPE": "s3", "PROVIDER": "Other", "ENDPOINT": r.store.endpoint, "REGION": garage.Region, "FORCE_PATH_STYLE": "true",
		"ACCESS_KEY_ID": r.store.key.ID, "SECRET_ACCESS_KEY": r.store.key.Secret,
		"NO_HEAD": "true", "NO_HEAD_OBJECT": "true", "NO_CHECK_BUCKET": "true", "USE_UNSIGNED_PAYLOAD": "true",
	} {
		env = append(env, "RCLONE_CONFIG_BENCH_"+name+"="+value)
	}
	began := time.Now()
	out, err := command{argv: append([]string{r.program, "--retries", "1", "--stats", "0"}, words...), env: env}.run(ctx)
	return s3Done{wall: time.Since(began).Seconds(), cpu: out.cpu}, err
}

// s3Files returns the directory for the files of a size.
func s3Files(dir string, size int64) string {
	return filepath.Join(dir, "files", strconv.FormatInt(size, 10))
}

// writeS3Files writes the files to upload, which are incompressible, and an
// empty directory.
func writeS3Files(dir string, tables []*s3Table) error {
	if err := os.MkdirAll(filepath.Join(dir, "none"), 0o700); err != nil {
		return err
	}
	for _, t := range tables {
		for _, c := range t.cells {
			if err := writeS3Size(s3Files(dir, c.size), c.size); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeS3Size writes the files of one size, unless they exist.
func writeS3Size(dir string, size int64) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	body := make([]byte, size)
	for i := range files(size) {
		var seed [32]byte
		binary.LittleEndian.PutUint64(seed[:], uint64(size))
		binary.LittleEndian.PutUint64(seed[8:], uint64(i))
		_, _ = rand.NewChaCha8(seed).Read(body) // it never fails
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%08d", i)), body, 0o600); err != nil {
			return err
		}
	}
	return nil
}
