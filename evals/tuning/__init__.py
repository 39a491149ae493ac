"""Fitting the weights of the learned profile, and proving them on repositories or history not fitted on."""
