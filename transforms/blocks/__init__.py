"""A block from its lines to its final files: judged and staged first, settled once the joins have spoken."""
