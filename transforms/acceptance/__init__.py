"""What merits acceptance: rubrics, evidence, gates, and the decision on one record."""
