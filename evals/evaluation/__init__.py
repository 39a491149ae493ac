"""Evaluation of a project on cases: runs, their comparison with a baseline, and reports."""
