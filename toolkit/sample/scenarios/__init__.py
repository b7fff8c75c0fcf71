"""The sysplex of `iosq sample` and its planted situations: one file each. A file with a `SCENARIO` adds one."""
