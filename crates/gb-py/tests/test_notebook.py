"""The notebooks run from their first cell to their last, and show what they were shipped with."""

import copy
import json
import pathlib
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

DOCS = pathlib.Path(__file__).parents[3] / "docs"
LESSONS = sorted(f"course/{file.stem}" for file in (DOCS / "course").glob("*.ipynb"))
NOTEBOOKS = ["tutorial", "lecture", "clobber-tables", *LESSONS]
# What is shown of a bar, which comes only where the machine is slow.
BAR = "<IPython.core.display.HTML object>"


def texts(notebook):
    """What the cells say, without pictures."""
    said = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        streams = "".join(output["text"] for output in outputs if output.output_type == "stream")
        plain = [output["data"].get("text/plain") for output in outputs if "data" in output]
        said.append((streams, [text for text in plain if text != BAR]))
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


@pytest.mark.parametrize("name", LESSONS)
def test_every_exercise_has_an_answer_that_is_checked(name):
    cells = nbformat.read(DOCS / f"{name}.ipynb", as_version=4).cells
    (exercises,) = [cell for cell in cells if re.search("^## Exercises$", cell.source, re.M)]
    asked = re.findall(r"^(\d+)\. ", exercises.source.partition("## Exercises")[2], re.M)
    answers = [(cell, after) for cell, after in zip(cells, cells[1:]) if cell.source.startswith("### Answer ")]
    assert [re.match(r"### Answer (\d+)", cell.source)[1] for cell, _ in answers] == asked
    assert asked == [str(n + 1) for n in range(len(asked))] and 6 <= len(asked) <= 10
    for cell, after in answers:
        assert after.cell_type == "code" and "assert " in after.source, cell.source


def test_the_course_is_in_the_table_of_contents():
    assert len(LESSONS) == 8
    contents = (DOCS / "SUMMARY.md").read_text()
    overview = (DOCS / "course.md").read_text()
    for lesson in LESSONS:
        assert f"({lesson}.ipynb)" in contents and f"({lesson}.ipynb)" in overview


def test_the_tutorial_shows_pictures_tables_and_a_widget():
    notebook = nbformat.read(DOCS / "tutorial.ipynb", as_version=4)
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for data in shown for kind in data}
    assert {"text/latex", "image/svg+xml", "text/html", "image/png"} <= kinds
    assert "application/vnd.jupyter.widget-view+json" in kinds


@pytest.mark.parametrize("name", LESSONS)
def test_the_site_has_pages_of_the_lessons(name):
    """Answers are folded, pictures stand in the page itself, and links lead to pages."""
    lesson = DOCS / f"{name}.ipynb"
    overview = {"path": "course.md", "content": f"[lesson]({name}.ipynb)", "sub_items": []}
    chapter = {"path": f"{name}.ipynb", "content": lesson.read_text(), "sub_items": []}
    overview["sub_items"].append({"Chapter": chapter})
    given = json.dumps([{}, {"items": ["Separator", {"Chapter": overview}]}])
    script = DOCS.parent / "scripts/notebook-pages.py"
    run = subprocess.run([sys.executable, script], input=given, capture_output=True, text=True, check=True)
    overview = json.loads(run.stdout)["items"][1]["Chapter"]
    assert overview["content"] == f"[lesson]({name}.html)"
    page = overview["sub_items"][0]["Chapter"]["content"]
    answers = lesson.read_text().count("### Answer ")
    assert page.count("<details>") == page.count("</details>") == page.count("<summary>Answer ") == answers
    assert page.count("```") % 2 == 0 and page.count("```python") > 10
    assert "<svg" not in page and "data:image/svg+xml;base64," in page and ".ipynb)" not in page
