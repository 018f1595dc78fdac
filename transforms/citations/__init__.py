"""Quotations against the documents they cite: offsets, spans, and how a quotation nearly fits."""
