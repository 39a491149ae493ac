"""Writing Prebrief's hooks into hosts' settings, and trying them."""
