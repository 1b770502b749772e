"""The notebooks run from their first cell to their last, and show what they were shipped with."""

import copy
import pathlib

import nbclient
import nbformat
import pytest

DOCS = pathlib.Path(__file__).parents[3] / "docs"
NOTEBOOKS = ["tutorial", "lecture", "clobber-tables"]


def texts(notebook):
    """What the cells say, without pictures."""
    said = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        streams = "".join(output["text"] for output in outputs if output.output_type == "stream")
        said.append((streams, [output["data"].get("text/plain") for output in outputs if "data" in output]))
    return said


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_show_what_they_say(name):
    shipped = nbformat.read(DOCS / f"{name}.ipynb", as_version=4)
    run = copy.deepcopy(shipped)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(run, timeout=120, kernel_name="python3").execute()
    assert texts(run) == texts(shipped)
    assert sum(cell.source.startswith("### Answer") for cell in run.cells) >= 1


def test_the_tutorial_shows_pictures_tables_and_a_widget():
    notebook = nbformat.read(DOCS / "tutorial.ipynb", as_version=4)
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for data in shown for kind in data}
    assert {"text/latex", "image/svg+xml", "text/html", "image/png"} <= kinds
    assert "application/vnd.jupyter.widget-view+json" in kinds
