#!/usr/bin/env python3
"""Runs notebooks and writes down what their cells show: scripts/run-notebooks.py docs/course/*.ipynb

Run it, with the Python of target/python and the package of target/python-package (scripts/test-python.sh makes both), when a cell or an
answer of the bench has changed, and look at the difference. The tests compare what is shown with what the bench says."""

import sys
import time

import nbclient
import nbformat

for file in sys.argv[1:]:
    began = time.monotonic()
    notebook = nbformat.read(file, as_version=4)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        # When cells were run is of no use to readers, and differs each time.
        cell.metadata.pop("execution", None)
        # A bar is shown where the machine was slow.
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if o.get("data", {}).get("text/plain") != "<IPython.core.display.HTML object>"]
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(notebook, file)
    print(f"{file}: {time.monotonic() - began:.1f} s")
