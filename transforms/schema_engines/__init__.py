"""JSON Schema draft 2020-12 by two engines that give the same errors in the same form."""
