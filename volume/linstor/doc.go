// Package linstor lends a LINSTOR resource: a new resource definition with one volume,
// placed by a resource group or in a storage pool that the user names, and measured on a
// node of the cluster, with or without a replica there.
//
// All requests go to the controller through the client on that node (linstor -m). The
// resource has the receipt's id in its name; only it is deleted, with all that LINSTOR made
// for it.
package linstor
