"""The ledger of receipts: append, verify, read; the receipt's schema."""
