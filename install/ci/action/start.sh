#!/usr/bin/env bash
# Installs mfano, starts it in the background, waits until it is healthy, and begins a run in its world.
set -euo pipefail
mkdir -p "$EVIDENCE"
if [ -n "$PACKAGE" ]; then
  # npm reads a relative path as one of its own folder. A pattern names a tarball of the repository.
  for file in $PACKAGE; do [ ! -f "$file" ] || PACKAGE=$(realpath "$file"); done
  npm install --prefix "$RUNNER_TEMP/mfano" --no-audit --no-fund "$PACKAGE"
  command="$RUNNER_TEMP/mfano/node_modules/mfano/bin/mfano.js"
else
  clone=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
  [ -d "$clone/node_modules" ] || (cd "$clone" && npm ci --no-audit --no-fund)
  command="$clone/bin/mfano.js"
fi

nohup node "$command" start --port "$ON_PORT" --data :memory: --scenario "$SCENARIO" --json \
  >"$EVIDENCE/start.json" 2>"$EVIDENCE/mfano.log" &
pid=$!
url="http://localhost:$ON_PORT"
until curl --silent --fail --output /dev/null "$url/_mfano/health"; do
  if ! kill -0 "$pid" 2>/dev/null; then
    echo "::error title=mfano did not start::$(head -c 2000 "$EVIDENCE/mfano.log" | tr '\r\n' '  ')"
    exit 1
  fi
  sleep 0.2
done

node "$command" run start "${GITHUB_JOB:-ci}" --url "$url" >/dev/null
node --input-type=module --eval '
  const { readFileSync } = await import("node:fs")
  const { credentials } = JSON.parse(readFileSync(process.argv[1], "utf8").split("\n")[0])
  console.log(`api-key=${credentials.apiKey}\napi-secret=${credentials.apiSecret}`)
' "$EVIDENCE/start.json" >>"$GITHUB_OUTPUT"
echo "base-url=$url" >>"$GITHUB_OUTPUT"
echo "$pid $command" >"$RUNNER_TEMP/mfano.started"
