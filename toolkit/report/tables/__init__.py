"""One file per table: SQL with a header that names its columns, or a module with a `TABLE`."""
