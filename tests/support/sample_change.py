"""A task about the sample project of the applications' tests, and a change that goes with it."""

TASK = "Fix the timeout in `EventStream.close`"
DIFF = """--- a/src/stream.py
+++ b/src/stream.py
@@ -15,1 +15,1 @@
-        self.timer.cancel()
+        self.timer.cancel(wait=True)
"""
