package kube

import (
	"cmp"
	"context"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/nearest"
)

// class returns a storage class; "" means the default. Of several defaults,
// Kubernetes takes the newest, and of those the first by name.
func (c *Cluster) class(ctx context.Context, name string) (*storagev1.StorageClass, error) {
	list, err := c.client.StorageClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.Explain("list storage classes", err)
	}
	var names []string
	var newest *storagev1.StorageClass
	for i := range list.Items {
		s := &list.Items[i]
		names = append(names, s.Name)
		if s.Name == name {
			return s, nil
		}
		if name == "" && isDefault(s) && (newest == nil || newer(s, newest)) {
			newest = s
		}
	}
	if newest != nil {
		return newest, nil
	}
	slices.Sort(names)
	if name == "" {
		return nil, &Problem{Reason: NotFound, Text: "kubernetes " + c.name + ": no default storage class",
			Advice: "set class: to one of " + strings.Join(names, ", ")}
	}
	return nil, missing("storage class", name, c.name, nearest.Name(name, names))
}

// isDefault accepts the old annotation too, as Kubernetes does.
func isDefault(class *storagev1.StorageClass) bool {
	return class.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" ||
		class.Annotations["storageclass.beta.kubernetes.io/is-default-class"] == "true"
}

func newer(a, b *storagev1.StorageClass) bool {
	order := b.CreationTimestamp.Compare(a.CreationTimestamp.Time)
	return cmp.Or(order, strings.Compare(a.Name, b.Name)) < 0
}

// provisions reports whether a class creates volumes for its claims. Without a
// provisioner, someone creates them by hand, for any claim.
func provisions(class *storagev1.StorageClass) bool {
	return class.Provisioner != "kubernetes.io/no-provisioner"
}
