"""The reports: nothing in them is active, nothing is fetched, and a browser shows what there is."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

HOSTILE = (
    "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    " ![x](https://example.org/a.png) [y](javascript:alert(1)) | a `b` | {{ 7 * 7 }} \u202e </td></table>"
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture
def hostile(evaluate, project, case_rows):
    """The folder of a run on cases that would like to be more than text."""
    row = {"id": "<b>id</b> | `x`", "task": HOSTILE * 3, "relevant": [{"path": "src/<i>.py", "name": "`|"}]}
    key = {"id": "key", "task": "The token ghp_" + "k3Jx9" * 7 + "q is refused", "abstain": True}
    project.write_cases([*case_rows(), row, key])
    return project.folder(evaluate("--profile", "rrf", "--profile", "original"))


class Elements(HTMLParser):
    """Counts elements and notes what is not closed, and what would be fetched."""

    VOID = frozenset({"meta", "br", "img", "link", "input", "hr"})

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.fetched = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.fetched += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        assert not [name for name, _ in attributes if name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_page_is_whole_and_needs_nothing_else(hostile):
    text = (hostile / "report.html").read_text()
    page = Elements(text)
    assert page.open == []
    assert page.fetched == []
    assert page.seen.count("svg") == 5
    assert not {"script", "img", "iframe", "object", "link", "b", "i"} & set(page.seen)
    assert "@import" not in text
    assert "url(" not in text
    assert "&lt;script&gt;" in text
    assert "{{ 7 * 7 }}" in text


def test_reports_hold_neither_secrets_nor_hidden_characters(hostile):
    for name in ("report.html", "report.md"):
        text = (hostile / name).read_text()
        assert "ghp_k3Jx9" not in text
        assert "[redacted:" in text
        assert "\u202e" not in text


def test_markdown_is_inert_and_its_tables_are_whole(hostile):
    from markdown_it import MarkdownIt  # noqa: PLC0415 - for this test alone

    text = (hostile / "report.md").read_text()
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<table>") == 3
    assert not re.search(r"<(script|img|a|b|i)\b", html)
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {7}
    assert len(rows) == 18


def test_worst_case_comes_first(hostile):
    cases = (hostile / "report.html").read_text().partition('class="cases"')[2]
    assert cases.index("&lt;b&gt;id") < cases.index("close_stream")


def browse(page, *options, profile):
    """What chromium says or draws of a page; a test that needs it is skipped where there is none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    return subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"),
            *("--hide-scrollbars", "--disable-dev-shm-usage", *options, page.as_uri()),
        ],
        capture_output=True,
        check=True,
        timeout=120,
    ).stdout.decode()


def test_browser_shows_the_page_and_runs_nothing_of_it(hostile, tmp_path):
    dom = browse(hostile / "report.html", "--dump-dom", profile=tmp_path / "profile")
    assert "<title>Evaluation of project</title>" in dom
    assert dom.count("<svg") == 5
    assert dom.count("<figure>") == 5
    table = dom.partition('class="cases"')[2].partition("</table>")[0]
    assert table.count("<tr") == 1 + 18
    assert "</table>" in dom.partition("Versions")[0]


@pytest.mark.parametrize("width", [390, 1280])
def test_browser_draws_the_page(hostile, tmp_path, width):
    picture = tmp_path / "page.png"
    options = (f"--screenshot={picture}", f"--window-size={width},3000")
    browse(hostile / "report.html", *options, profile=tmp_path / "profile")
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 40_000  # an empty page of that size has a few thousand bytes


def test_page_is_no_wider_than_a_phone(hostile, tmp_path):
    # The page carries no script of its own: this copy asks the browser how wide it has become.
    text = (hostile / "report.html").read_text()
    policy = re.search(r"<meta http-equiv[^>]*>", text)[0]
    asking = (
        "<script>document.title = document.documentElement.scrollWidth + '/' + innerWidth</script></body>"
    )
    copy = tmp_path / "copy.html"
    copy.write_text(text.replace(policy, "").replace("</body>", asking))
    dom = browse(copy, "--dump-dom", "--window-size=500,900", profile=tmp_path / "profile")
    wide, inner = map(int, re.search(r"<title>(\d+)/(\d+)</title>", dom).groups())
    assert wide <= inner
