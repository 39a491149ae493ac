"""The composition root: command lines and the `Augmenter`."""
