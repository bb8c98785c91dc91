package kube

import (
	"context"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay/internal/nearest"
)

// class gives a storage class; "" is the one that is the default.
func (c *Cluster) class(ctx context.Context, name string) (*storagev1.StorageClass, error) {
	list, err := c.client.StorageV1().StorageClasses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, c.Explain("look at the storage classes", err)
	}
	var names []string
	for i := range list.Items {
		s := &list.Items[i]
		names = append(names, s.Name)
		if s.Name == name || name == "" && s.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" {
			return s, nil
		}
	}
	slices.Sort(names)
	if name == "" {
		return nil, &Problem{Reason: NotFound, Text: "kubernetes " + c.name + ": no storage class is the default",
			Advice: "name one with class: there are " + strings.Join(names, ", ")}
	}
	return nil, missing("storage class", name, c.name, nearest.Name(name, names))
}

// provisions says whether volumes of a class are made for their claims. Those of
// one that has no provisioner somebody makes by hand, for whoever comes.
func provisions(class *storagev1.StorageClass) bool {
	return class.Provisioner != "kubernetes.io/no-provisioner"
}
