"""The job: what runs, in which order, on which runner, and what is published."""
