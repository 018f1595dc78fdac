"""Running a task's tests over the code of annotations, in rooms that neither can leave."""
