"""What code says of other code: calls, imports, bases, tests."""
