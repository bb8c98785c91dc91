package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"assay"
	"assay/internal/marked"
	"assay/lab/garage"
)

// measureS3 measures assay's load on an object store in turns with boto3 and
// rclone on the same store. It reports in Markdown of its own.
func measureS3(ctx context.Context, w wish, dir string, say func(string)) (_ []row, _ []string, err error) {
	if why := garage.Missing(); why != nil {
		return []row{{what: "load on an object store", missing: why.Error() + "; " + assay.Hint(why)}}, nil, nil
	}
	dir, place, err := s3Dir(dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tables := s3Tables(s3Names(w, say), w.short || w.only == "")
	if err := writeS3Files(dir, tables); err != nil {
		return nil, nil, err
	}
	began, rounds := time.Now(), 0
	for ; rounds < s3Rounds && time.Since(began) < s3Bound; rounds++ {
		for _, t := range tables {
			say(fmt.Sprintf("s3: round %d of %d, nodes: %d", rounds+1, s3Rounds, t.nodes))
			err := onGarage(ctx, dir, t.nodes, func(s s3Store) error {
				tools, err := s3Tools(ctx, w, dir, s)
				if err != nil {
					return err
				}
				return t.round(ctx, tools, rounds%2 == 1)
			})
			if err != nil {
				return nil, nil, err
			}
		}
	}
	text := s3Markdown(tables, s3Conditions{rounds: rounds, took: time.Since(began), place: place})
	fmt.Print(text)
	if w.document == "" {
		return nil, nil, nil
	}
	return nil, nil, marked.Write(w.document, "bench s3", text)
}

// s3Names returns the names of the requested tools, assay first, and says which
// are left out.
func s3Names(w wish, say func(string)) []string {
	names := []string{"assay"}
	for _, peer := range []struct{ name, path string }{{"boto3", w.boto3}, {"rclone", w.rclone}} {
		if peer.path == "" {
			say(fmt.Sprintf("s3: without %s: name it with -%s (make bench does)", peer.name, peer.name))
			continue
		}
		names = append(names, peer.name)
	}
	return names
}

// s3Tools returns the requested tools, assay first.
func s3Tools(ctx context.Context, w wish, files string, s s3Store) ([]s3Tool, error) {
	own, err := newS3Assay(ctx, w.binary, s)
	if err != nil {
		return nil, err
	}
	tools := []s3Tool{own}
	if w.boto3 != "" {
		b, err := newS3Boto3(w.boto3, s)
		if err != nil {
			return nil, err
		}
		tools = append(tools, b)
	}
	if w.rclone != "" {
		tools = append(tools, s3Rclone{program: w.rclone, store: s, files: files})
	}
	return tools, nil
}

// onGarage brings a Garage up, calls use, and takes it down.
func onGarage(ctx context.Context, dir string, nodes int, use func(s3Store) error) (err error) {
	if dir, err = os.MkdirTemp(dir, "round-"); err != nil {
		return err
	}
	bound := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.WithoutCancel(ctx), s3Up)
	}
	up, cancel := bound()
	defer cancel()
	lab, err := garage.Up(up, filepath.Join(dir, "garage"), garage.Options{Nodes: nodes, Replication: nodes})
	if err != nil {
		return err
	}
	defer func() {
		down, cancel := bound()
		defer cancel()
		err = errors.Join(err, lab.Down(down), os.RemoveAll(dir))
	}()
	key, err := lab.NewKey(up, peersBucket)
	if err != nil {
		return err
	}
	if _, err := lab.NewBucket(up, peersBucket, key); err != nil {
		return err
	}
	s := s3Store{endpoint: lab.Endpoints()[0], key: key, dir: dir}
	s.admin, s.token = lab.Admin()
	return use(s)
}

// s3Dir makes a directory in memory, or in dir if memory is short, and returns
// which.
func s3Dir(dir string) (made, place string, err error) {
	place = "a disk"
	var fs syscall.Statfs_t
	if syscall.Statfs(memory, &fs) == nil && fs.Bavail*uint64(fs.Bsize) > s3Room {
		if text, err := os.ReadFile("/proc/meminfo"); err == nil && kilobytes(text, "MemAvailable:") > s3Room {
			dir, place = memory, "memory"
		}
	}
	made, err = os.MkdirTemp(dir, ".assay-bench-")
	return made, place, err
}
