"""What bytes and listings mean: readers that turn dumps and listings into Arrow batches and issues."""
