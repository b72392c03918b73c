"""How `studbook fairness` shows what it found: JSON, a table, a picture."""
