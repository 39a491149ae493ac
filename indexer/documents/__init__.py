"""Documents: headings, sections, cards, guidance."""
