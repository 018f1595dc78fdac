"""A synthetic campaign with rubrics: annotations, the evidence on them, and every way in which they are decided."""
