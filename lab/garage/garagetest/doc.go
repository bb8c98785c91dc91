// Package garagetest gives tests a real Garage, and takes it down when they end.
package garagetest
