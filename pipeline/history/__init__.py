"""Earlier runs that a run is judged against."""
