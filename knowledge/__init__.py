"""The ground floor: vocabulary, errors, settings, identity, catalog, taxonomy, text hygiene.

Everything above imports from here; nothing here imports from above.
"""
