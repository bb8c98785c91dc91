// Package cephtest gives tests a real Ceph, and takes it down when they end.
package cephtest
