"""What is tried in both rooms before any candidate's code runs in one."""
