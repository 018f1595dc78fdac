"""What runs inside the two rooms: standard library only, by an interpreter that may be another than ours."""
