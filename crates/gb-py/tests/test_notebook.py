"""The tutorial notebook runs from its first cell to its last."""

import pathlib

import nbclient
import nbformat

NOTEBOOK = pathlib.Path(__file__).parents[3] / "docs" / "tutorial.ipynb"


def test_tutorial():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for data in shown for kind in data}
    assert {"text/latex", "image/svg+xml", "text/html"} <= kinds
