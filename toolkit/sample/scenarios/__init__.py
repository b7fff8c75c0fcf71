"""The sysplex of `iosq sample` and its planted situations: each file with a `SCENARIO` adds one."""
