"""Signals: what the learned profile combines."""
