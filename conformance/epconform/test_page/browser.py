"""A headless Chromium, driven over two pipes by the DevTools protocol."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# What of a page has less contrast than WCAG's 4.5 to 1, and what is wider than a phone.
CONTRAST = """(() => {
  const parse = (color) => { const n = color.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
  const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255, c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; } return [255, 255, 255]; };
  const poor = [];
  for (const e of document.body.querySelectorAll("*")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || e.disabled || !e.getClientRects().length || e.tagName === "SCRIPT") continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.slice(0, 30));
  }
  return poor.slice(0, 5);
})()"""

WIDE = """[...document.querySelectorAll("body *")].filter((e) => !e.parentElement.closest(".box, .skip") && !e.matches(".skip")
  && e.getBoundingClientRect().right > 391).map((e) => e.tagName + "." + e.className).slice(0, 5)"""


def find_browser():
    """The path of a Chromium; None if there is none."""
    for name in filter(None, (os.environ.get("CHROMIUM"),) + NAMES):
        path = shutil.which(name)
        if path is not None:
            return path
    return None


class Failure(Exception):
    """The browser does not do what it is told."""


class Browser:
    """One page. What its console says of errors is in `complaints`."""

    def __init__(self, path, seconds=60):
        self.folder = tempfile.mkdtemp(prefix="report-page-")
        self.seconds = seconds
        self.buffer = b""
        self.number = 0
        self.complaints = []
        self.start(path)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Inspector"):
            self.call(domain + ".enable")

    session = None
    said = ""

    def start(self, path):
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def move():
            # Chromium reads from 3 and writes to 4.
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        words = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--disable-background-networking", "--disable-component-update",
                 "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                 "--disable-backgrounding-occluded-windows",
                 # Hundreds of addresses in a few seconds are what the test is about.
                 "--disable-ipc-flooding-protection",
                 "--remote-debugging-pipe", "--user-data-dir=" + self.folder]
        self.process = subprocess.Popen(words, preexec_fn=move, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)

    def stop(self):
        self.process.kill()
        self.process.wait()
        os.close(self.into)
        os.close(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read_message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, deadline - time.monotonic()))
            more = os.read(self.into, 1 << 20) if ready else b""
            if not more:
                raise Failure("no answer from the browser to " + self.said)
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        """Keep what is an error of the page, or a request that leaves it."""
        name, what = event.get("method"), event.get("params", {})
        if name in ("Inspector.targetCrashed", "Target.targetCrashed"):
            raise Failure("the browser's page ended")
        if name == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif name == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([a.get("value", a.get("description")) for a in what["args"]]))
        elif name == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
        elif name == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.complaints.append("asks the network: " + url)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.said = json.dumps(message)[:200]
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.seconds
        while True:
            answer = self.read_message(deadline)
            if answer.get("id") != self.number:
                self.note(answer)
            elif "error" in answer:
                raise Failure("%s: %s" % (method, answer["error"]["message"]))
            else:
                return answer["result"]

    def evaluate(self, expression):
        """The value of a JavaScript expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure("%s: %s" % (expression, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, expression):
        """Until an expression is true; its value."""
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.05)
        raise Failure("never true: " + expression)

    def screen(self, width, height, dark=False, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait_for("document.querySelector('main h2') !== null")

    def go(self, place):
        """To another address in the page, which is shown before this returns: the
        page listens first. What the event leaves behind is no value."""
        self.evaluate(
            "new Promise((done) => { if (location.hash === %s) { done(); return; }"
            " window.addEventListener('hashchange', done, {once: true});"
            " location.hash = %s; }).then(() => true)" % (json.dumps(place), json.dumps(place)))

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)
