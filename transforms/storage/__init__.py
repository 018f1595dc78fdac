"""Files that may stand in a folder of this machine or in a bucket: where they are, and what is done with objects."""
