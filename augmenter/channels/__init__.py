"""Channels: independent ways of finding candidates, each an ordered list with its reasons."""
