"""The real clients, with a scripted model: what they tell hooks, and what of the answers reaches it."""
