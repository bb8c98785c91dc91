package kube

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

var volumesResource = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}

// A volume that its provisioner takes its time for costs a look and a watch, and
// a look when it has gone.
func TestVolumesAreWatched(t *testing.T) {
	pv := aVolume("pvc-"+string(claimUID), corev1.PersistentVolumeReclaimDelete, byDriver)
	client := fake.NewClientset(pv)
	client.PrependWatchReactor("persistentvolumes", func(clienttesting.Action) (bool, watch.Interface, error) {
		events := watch.NewFake()
		go func() {
			for range 5 {
				events.Modify(aVolume("another", corev1.PersistentVolumeReclaimDelete, byDriver))
			}
			if err := client.Tracker().Delete(volumesResource, "", pv.Name); err != nil {
				t.Error(err)
			}
			events.Delete(pv)
		}()
		return true, events, nil
	})
	seeGone(t, client)
	// The last look is for what an earlier run has not finished.
	if got := asked(client); got != "list watch list list" {
		t.Errorf("it asked: %s", got)
	}
}

// Who may not watch looks again and again, and asks for no second watch; a watch
// that ends is begun anew.
func TestVolumesAreLookedAtWhereNoWatchLasts(t *testing.T) {
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "persistentvolumes"}, "", errors.New("no"))
	for name, c := range map[string]struct {
		begin func() (watch.Interface, error)
		want  string
	}{
		"forbidden": {func() (watch.Interface, error) { return nil, forbidden }, "list watch list list list"},
		"ended": {func() (watch.Interface, error) {
			events := watch.NewFake()
			events.Stop()
			return events, nil
		}, "list watch list watch list list"},
		"too late": {func() (watch.Interface, error) {
			events := watch.NewFakeWithChanSize(1, false)
			events.Error(&apierrors.NewResourceExpired("too old").ErrStatus)
			return events, nil
		}, "list watch list watch list list"},
	} {
		t.Run(name, func(t *testing.T) {
			pv := aVolume("pvc-"+string(claimUID), corev1.PersistentVolumeReclaimDelete, byDriver)
			client := fake.NewClientset(pv)
			client.PrependWatchReactor("persistentvolumes", func(clienttesting.Action) (bool, watch.Interface, error) {
				events, err := c.begin()
				return true, events, err
			})
			looks := 0
			client.PrependReactor("list", "persistentvolumes", func(clienttesting.Action) (bool, runtime.Object, error) {
				if looks++; looks == 3 {
					return false, nil, client.Tracker().Delete(volumesResource, "", pv.Name)
				}
				return false, nil, nil
			})
			seeGone(t, client)
			if got := asked(client); got != c.want {
				t.Errorf("it asked: %s, want %s", got, c.want)
			}
		})
	}
}

func seeGone(t *testing.T, client *fake.Clientset) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := (&Cluster{name: "home", client: client}).SeeVolumesGone(ctx, "ns", nil); err != nil {
		t.Fatal(err)
	}
}

// asked are the verbs of the requests, in order.
func asked(client *fake.Clientset) string {
	var verbs []string
	for _, a := range client.Actions() {
		verbs = append(verbs, a.GetVerb())
	}
	return strings.Join(verbs, " ")
}

// A role that is written for somebody has the right to watch; who has it not is
// not turned away.
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
