"""A record's typed columns: JSON Schema to Arrow, parsed values to arrays, and where each record came from."""
