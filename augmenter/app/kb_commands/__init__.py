"""The commands of ``kb``, each a module with ``add_arguments`` and ``run``."""
