package kube

import "slices"

// Attacher is storage that a pod must be created with.
type Attacher interface {
	// Attach returns what the pod needs. name is a DNS label, unique among the pod's
	// volumes; node is where it will run, "" if the scheduler chooses.
	Attach(name, node string) (Attachment, error)
}

// Requirer is storage that needs more of Kubernetes than pods, such as a storage
// class or the right to read a secret.
type Requirer interface{ Requires() Needs }

// And returns the combined needs, with each class and each right once.
func (n Needs) And(more Needs) Needs {
	n.Claims = n.Claims || more.Claims
	for _, class := range more.Classes {
		if !slices.Contains(n.Classes, class) {
			n.Classes = append(n.Classes, class)
		}
	}
	for _, right := range more.Rights {
		same := func(r Right) bool {
			return r.Group == right.Group && r.Resource == right.Resource && r.Namespace == right.Namespace && slices.Equal(r.Verbs, right.Verbs)
		}
		if !slices.ContainsFunc(n.Rights, same) {
			n.Rights = append(n.Rights, right)
		}
	}
	return n
}
