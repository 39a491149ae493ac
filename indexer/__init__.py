"""Sources to evidence: symbols, sections, cards, history; incremental."""
