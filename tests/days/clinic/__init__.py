"""A sysplex laid out for one problem in each LCU or box, with healthy neighbours."""
