"""Cases from a repository's own history: what a commit says is the task, what it changed is the answer."""
