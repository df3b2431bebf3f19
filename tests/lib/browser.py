"""Headless Chromium over a pipe: DevTools messages are JSON with a zero byte after each, so that no
library is needed."""

import base64
import json
import os
import subprocess
import tempfile


class Browser:
    """`with Browser() as browser:` opens one tab."""

    def __enter__(self):
        # pylint: disable=consider-using-with
        self.profile = tempfile.TemporaryDirectory(prefix="kstar-browser-", ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.to_hear, to_say = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen(["bash", "-c", f'exec chromium "$@" 3<&{to_read} 4>&{to_say}', "chromium", *flags], pass_fds=(to_read, to_say),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_say)
        self.number, self.heard, self.session = 0, b"", None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Network.enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.to_hear)
        self.profile.cleanup()

    def next_message(self):
        while b"\0" not in self.heard:
            more = os.read(self.to_hear, 1 << 16)
            assert more, "the browser has ended"
            self.heard += more
        message, self.heard = self.heard.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.number += 1
        question = {"id": self.number, "method": method, "params": parameters} | ({"sessionId": self.session} if self.session else {})
        os.write(self.to_write, json.dumps(question).encode() + b"\0")
        while (message := self.next_message()).get("id") != self.number:
            pass
        assert "error" not in message, (method, message)
        return message["result"]

    def open(self, path, width=1280, height=900, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while self.run("document.readyState + location.pathname.length") is None or not self.run(
                f"document.readyState === 'complete' && decodeURI(location.pathname) === {json.dumps(str(path.resolve()))}"):
            pass

    def run(self, script):
        """The value of a script."""
        done = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def picture(self, path):
        height = self.run("document.documentElement.scrollHeight")
        width = self.run("window.innerWidth")
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        path.write_bytes(base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]))
