// Package linstor lends a resource of LINSTOR's: a new resource definition with one volume,
// placed by a resource group or in a storage pool that the user names, and measured on a
// node of the cluster, with a replica there or without.
//
// Everything is asked of the controller by the client on that node (linstor -m). The
// resource bears the receipt's id in its name; it alone is deleted, with all that LINSTOR
// made for it.
package linstor
