#!/usr/bin/env python3
"""page_check.py FILE... - open pages in headless Chromium and say what is wrong with them.

Checked at 1,280 and 400 pixels, light and dark: no console message, no request but the file itself,
nothing cut off (the document is not wider than the window, every text of a chart is within its
chart and none lies on another, every cell of a table is within its box), no letter of a chart below
11 pixels, and well-formed HTML. And what those who do not see the page go by: one <main>, one <h1>,
dates, a caption and heads of rows in each table, a name for each drawing and its numbers in a table
of its figure, titles that are no JSON pointers. No page has more than 2 MB.
Exits with 77 when there is no browser or no selenium.
"""
import html.parser
import json
import os
import re
import sys

VOID = {"meta", "link", "br", "hr", "img", "input"}
# Elements of SVG that may close themselves.
SELF_CLOSING = {"rect", "path", "circle"}

LAYOUT = r"""
const bad = [], say = (what, e) => bad.push(what + ': ' + (e.textContent || '').trim().slice(0, 60));
const root = document.scrollingElement;
if (root.scrollWidth > innerWidth) bad.push('the page is ' + root.scrollWidth + ' wide');
const inside = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack &&
    a.top >= b.top - slack && a.bottom <= b.bottom + slack;
for (const svg of document.querySelectorAll('svg')) {
  if (!svg.getClientRects().length) continue;
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent)
      .map(t => [t, t.getBoundingClientRect()]);
  for (const [t, r] of texts) {
    if (!inside(r, box, 1)) say('outside its chart', t);
    const drawn = parseFloat(getComputedStyle(t).fontSize) * box.width / svg.viewBox.baseVal.width;
    if (drawn < 10.99) say('too small to read, ' + drawn.toFixed(1) + ' px', t);
  }
  for (let i = 0; i < texts.length; i++)
    for (let j = i + 1; j < texts.length; j++) {
      const a = texts[i][1], b = texts[j][1];
      const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      /* Line boxes are taller than their letters. */
      if (w > 1 && h > 0.45 * Math.min(a.height, b.height))
        say('on "' + texts[j][0].textContent + '"', texts[i][0]);
    }
}
for (const e of document.querySelectorAll('h1,h2,h3,p,dt,dd,figcaption,summary,nav a')) {
  if (!e.getClientRects().length) continue;
  const r = e.getBoundingClientRect();
  if (r.left < 0 || r.right > innerWidth) say('cut off', e);
  if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != 'inline')
    say('wider than its box', e);
}
for (const table of document.querySelectorAll('table')) {
  const scroll = table.closest('.scroll');
  if (!scroll) { say('no box of its own', table); continue; }
  for (const cell of table.querySelectorAll('td,th'))
    if (cell.scrollWidth > cell.clientWidth + 1) say('wider than its cell', cell);
}
for (const box of document.querySelectorAll('.scroll')) {
  const r = box.getBoundingClientRect();
  if (r.right > innerWidth + 1) say('box cut off', box);
}
return bad;
"""


MOST_BYTES = 2_000_000
MOST_MS = 5000  # the aim is 1,000, on a machine that does nothing else
slowest = [0]
POINTER = re.compile(r"/[a-z_0-9]+(/[a-z_0-9]+)+")
# Where a JSON pointer would stand as a title.
TITLES = {"h1", "h2", "h3", "th", "dt", "caption", "summary"}


class Structure(html.parser.HTMLParser):
    """What a screen reader goes by."""

    def __init__(self):
        super().__init__()
        self.errors, self.count = [], {}
        self.open = []       # (tag, classes)
        self.figures = []    # of each open <figure>: [has a drawing, has a table, title]
        self.has_caption = self.has_head = self.row_is_new = False

    def classes(self):
        return {name for _, names in self.open for name in names}

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        classes = (names.get("class") or "").split()
        self.count[tag] = self.count.get(tag, 0) + 1
        if "dates" in classes:
            self.count["dates"] = self.count.get("dates", 0) + 1
        if "tabindex" in names and not (names.get("role") and names.get("aria-label")):
            self.errors.append("a box that is reached by the keyboard has no name")
        getattr(self, "start_" + tag, lambda _: None)(names)
        if tag not in VOID:
            self.open.append((tag, classes))

    def handle_startendtag(self, tag, attributes):
        pass

    def start_svg(self, names):
        if names.get("aria-hidden") != "true":
            if names.get("role") != "img" or not names.get("aria-label"):
                self.errors.append("a drawing without role or name")
            if self.figures:
                self.figures[-1][0] = True

    def start_figure(self, names):
        # The small maps of a figure have one table together.
        if "map" not in (names.get("class") or "").split():
            self.figures.append([False, False, names.get("aria-label")])

    def start_table(self, _):
        self.has_caption = False
        if self.figures:
            self.figures[-1][1] = True

    def start_caption(self, _):
        self.has_caption = True

    def start_thead(self, _):
        if not self.has_caption:
            self.errors.append("a table without a caption")

    def start_tr(self, _):
        self.row_is_new = True

    def start_th(self, names):
        in_body = any(tag == "tbody" for tag, _ in self.open)
        if names.get("scope") != ("row" if in_body else "col"):
            self.errors.append(f"a head of a table with scope '{names.get('scope')}'")
        self.row_is_new = False

    def start_td(self, _):
        self.empty_first = self.row_is_new
        self.row_is_new = False

    def handle_data(self, data):
        tag, classes = self.open[-1] if self.open else ("", [])
        if tag == "td" and self.empty_first and data.strip():
            self.errors.append(f"a row without a head: {data[:40]}")
        if (tag in TITLES or (tag == "text" and "title" in classes)) and POINTER.fullmatch(data.strip()):
            self.errors.append(f"a JSON pointer as title: {data[:40]}")

    def handle_endtag(self, tag):
        if not self.open:
            return
        _, classes = self.open.pop()
        self.empty_first = False
        if tag == "figure" and "map" not in classes and self.figures:
            has_drawing, has_table, title = self.figures.pop()
            if has_drawing and not has_table:
                self.errors.append(f"a chart without its table: {title}")


def structure_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parser = Structure()
    parser.empty_first = False
    parser.feed(text)
    for tag in ("main", "h1", "dates"):
        if parser.count.get(tag, 0) != 1:
            parser.errors.append(f"{parser.count.get(tag, 0)} of {tag}")
    if os.path.getsize(path) > MOST_BYTES:
        parser.errors.append(f"{os.path.getsize(path)} bytes are too many")
    return parser.errors


PAPER = r"""
const bad = [];
for (const grid of document.querySelectorAll('.grid'))
  if (grid.getClientRects().length && getComputedStyle(grid).gridTemplateColumns.split(' ').length != 2) bad.push('not two charts a row');
for (const e of document.querySelectorAll('h2,h3,caption'))
  if (getComputedStyle(e).breakAfter != 'avoid') bad.push('may end a page: ' + e.textContent);
for (const e of document.querySelectorAll('figure,tr,.callout'))
  if (getComputedStyle(e).breakInside != 'avoid') bad.push('may be cut in two: ' + e.textContent.slice(0, 40));
return bad;
"""


def check_paper(driver):
    """The page that is open, as a printer gets it: A4 with margins of 1 cm."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 718, "height": 1047, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    errors = driver.execute_script(PAPER)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    return errors


class Wellformed(html.parser.HTMLParser):
    """Every element is closed where it should be, and ids are not there twice."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.errors = [], set(), []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.errors.append(f"<{tag}> has an attribute twice")
        for name, value in attributes:
            if name == "id" and value in self.ids:
                self.errors.append(f"id '{value}' is there twice")
            if name == "id":
                self.ids.add(value)
            if name in ("src", "href") and re.match(r"(?i)\s*(https?:)?//", value or ""):
                self.errors.append(f"<{tag}> leads to '{value}'")
        if tag in ("script", "iframe", "object"):
            self.errors.append(f"there is a <{tag}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if tag not in VOID and tag not in SELF_CLOSING:
            self.errors.append(f"<{tag}/> closes itself")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.errors.append(f"</{tag}> closes {self.open[-1] if self.open else 'nothing'}")
        else:
            self.open.pop()


def well_formed(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        text = file.read()
    parser = Wellformed()
    parser.feed(text)
    parser.close()
    if parser.open:
        parser.errors.append(f"not closed: {parser.open}")
    for target in re.findall(r'href="#([^"]*)"', text):
        if target not in parser.ids:
            parser.errors.append(f"no '#{target}' to lead to")
    return parser.errors


def start_browser():
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        skip("python3-selenium")
    browser, driver = "/usr/bin/chromium", "/usr/bin/chromedriver"
    for path in (browser, driver):
        if not os.path.exists(path):
            skip(path)
    options = Options()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


def skip(what):
    print(f"skipped: {what} is not installed")
    sys.exit(77)


def requests_of(driver):
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            yield message["params"]["request"]["url"]


def check(driver, path, width, theme, screenshot):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": theme}]})
    url = "file://" + os.path.abspath(path)
    list(requests_of(driver))
    driver.get(url)
    took = driver.execute_script(
        "const t = performance.getEntriesByType('navigation')[0]; return t.loadEventEnd - t.startTime;")
    slowest[0] = max(slowest[0], took)
    errors = [f"asks for {other[:80]}" for other in requests_of(driver)
              if other != url and not other.startswith("data:")]
    errors += [f"console: {entry['level']} {entry['message']}"
               for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    driver.execute_script(
        "for (const d of document.querySelectorAll('details')) d.open = true;")
    errors += driver.execute_script(LAYOUT)
    if took > MOST_MS:
        errors.append(f"takes {took:.0f} ms to open")
    if screenshot:
        height = driver.execute_script("return document.scrollingElement.scrollHeight")
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.save_screenshot(f"{screenshot}-{width}-{theme}.png")
    return errors


def main():
    failed = False
    driver = start_browser()
    try:
        for path in sys.argv[1:]:
            found = [("HTML", error) for error in well_formed(path) + structure_of(path)]
            shots = os.environ.get("PAGE_SHOTS")
            for width in (1280, 400):
                for theme in ("light", "dark"):
                    name = os.path.join(shots, os.path.basename(path)) if shots else None
                    found += [(f"{width} px, {theme}", error)
                              for error in check(driver, path, width, theme, name)]
            found += [("paper", error) for error in check_paper(driver)]
            for where, error in found:
                print(f"{path}: {where}: {error}")
            failed |= bool(found)
            print(f"{path}: {os.path.getsize(path)} bytes, opens in {slowest[0]:.0f} ms, {len(found)} faults")
            slowest[0] = 0
    finally:
        driver.quit()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
