"""Features of a case: what a view is compared by."""
