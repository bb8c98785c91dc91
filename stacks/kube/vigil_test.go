package kube

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"assay/stacks/kube/api/apitest"
)

// A volume whose provisioner takes its time costs one list, one watch, and one
// list when it has gone.
func TestVolumesAreWatched(t *testing.T) {
	pv := aVolume("pvc-"+string(claimUID), corev1.PersistentVolumeReclaimDelete, byDriver)
	another := aVolume("another", corev1.PersistentVolumeReclaimDelete, byDriver)
	another.Spec.ClaimRef.Namespace = "elsewhere"
	server := apitest.Serve(t, pv)
	server.Handle(func(_ http.ResponseWriter, r apitest.Request) bool {
		if r.Verb == "watch" {
			go func() {
				for range 5 {
					server.Put(another)
				}
				server.Remove(pv)
			}()
		}
		return false
	})
	seeGone(t, server)
	// The last list looks for what an earlier run left unfinished.
	if got := asked(server); got != "list watch list list" {
		t.Errorf("it asked: %s", got)
	}
}

// Without the right to watch, volumes are polled and no second watch is tried; a
// watch that ends is restarted.
func TestVolumesAreLookedAtWhereNoWatchLasts(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "persistentvolumes"}, "", errors.New("no"))
	for name, c := range map[string]struct {
		watch func(http.ResponseWriter)
		want  string
	}{
		"forbidden": {func(w http.ResponseWriter) { apitest.Refuse(w, forbidden) }, "list watch list list list"},
		"ended":     {func(http.ResponseWriter) {}, "list watch list watch list list"},
		"too late": {func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old","reason":"Expired","code":410}}`)
		}, "list watch list watch list list"},
	} {
		t.Run(name, func(t *testing.T) {
			pv := aVolume("pvc-"+string(claimUID), corev1.PersistentVolumeReclaimDelete, byDriver)
			server := apitest.Serve(t, pv)
			looks := 0
			server.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
				switch r.Verb {
				case "watch":
					c.watch(w)
					return true
				case "list":
					if looks++; looks == 3 {
						server.Remove(pv)
					}
				}
				return false
			})
			seeGone(t, server)
			if got := asked(server); got != c.want {
				t.Errorf("it asked: %s, want %s", got, c.want)
			}
		})
	}
}

func seeGone(t *testing.T, server *apitest.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := (&Cluster{name: "home", client: server.Client}).SeeVolumesGone(ctx, "ns", nil); err != nil {
		t.Fatal(err)
	}
}

// asked returns the verbs of the requests, in order.
func asked(server *apitest.Server) string {
	var verbs []string
	for _, r := range server.Asked() {
		verbs = append(verbs, r.Verb)
	}
	return strings.Join(verbs, " ")
}

// A role written for a user includes the right to watch, but a user without it
// is not turned away.
func TestWatchingIsNoNeed(t *testing.T) {
	if yaml := RoleYAML("me", ClusterRights()); !strings.Contains(yaml, "resources: [persistentvolumes], verbs: [get, list, patch, watch]") {
		t.Error(yaml)
	}
	for _, r := range append(ClusterRights(), NamespaceRights()...) {
		if strings.Contains(strings.Join(r.Verbs, " "), "watch") {
			t.Errorf("%s: a run is refused to who may not watch", r.Resource)
		}
	}
}
