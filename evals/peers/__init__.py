"""Peers: other ways to tell an agent where to look, each asked the same tasks as this project.

One module a peer. A peer answers a task about a checkout with what it found (`evals.peers.answers`); how much
of that fits a budget, and whether the right functions are in it, is the business of `evals.budgets`.
"""
