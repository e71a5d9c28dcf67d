"""python3 -m chama: settings from the environment, and two jobs that come round."""

import os
import threading
import time
import traceback

from .settings import read_settings
from .web import App, ToldClock

WORK_EVERY = 1.0
RECONCILE_EVERY = 300.0

# Told the time and when to work by POST /tick, or by itself.
told = ToldClock() if os.environ.get("CLOCK") == "told" else None
app = App(read_settings(os.environ), told or time.time)
print(f"Chama listens on {app.url}", flush=True)
never = threading.Event()
reconcile_at = 0.0
try:
    while not never.wait(None if told else WORK_EVERY):
        # What goes wrong in one round is tried again in the next.
        try:
            app.payments.work()
            # Also at once, for whatever was told while it was down.
            if time.monotonic() >= reconcile_at:
                reconcile_at = time.monotonic() + RECONCILE_EVERY
                app.payments.reconcile()
        except Exception:
            traceback.print_exc()
except KeyboardInterrupt:
    app.close()
