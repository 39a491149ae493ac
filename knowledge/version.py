"""This version of Prebrief; the package metadata says the same, and a test holds them together."""

VERSION = "0.1.0"
