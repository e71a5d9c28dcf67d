#!/usr/bin/env bash
# Writes what happened into the job's summary, an annotation and the evidence, and ends mfano.
set -euo pipefail
read -r pid command <"$RUNNER_TEMP/mfano.started"
url="http://localhost:$ON_PORT"
mfano() { node "$command" "$@" --url "$url"; }
trap 'kill "$pid" 2>/dev/null || true' EXIT

mfano report --run last --format markdown | tee "$EVIDENCE/report.md" >>"$GITHUB_STEP_SUMMARY"
mfano report --run last --out "$EVIDENCE/report.html" >/dev/null
mfano report --run last --out "$EVIDENCE/junit.xml" >/dev/null
mfano report --run last --json >"$EVIDENCE/report.json"
# Worlds that tests made and left: those of tests that failed, with most clients.
for world in $(mfano world list --json | node -e 'for (const { id } of JSON.parse(require("fs").readFileSync(0, "utf8")).worlds) if (id !== "default") console.log(id)'); do
  mfano report --world "$world" --out "$EVIDENCE/world-$world.html" >/dev/null
done

verdict=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).verdict' "$EVIDENCE/report.json")
echo "verdict=$verdict" >>"$GITHUB_OUTPUT"
# The second paragraph is the verdict in words.
words=$(sed -n '3s/\*\*//gp' "$EVIDENCE/report.md")
if [ "$verdict" = failed ]; then
  echo "::error title=mfano::$words"
  [ "$CHECK" != true ] || exit 1
else
  echo "::notice title=mfano::$words"
fi
