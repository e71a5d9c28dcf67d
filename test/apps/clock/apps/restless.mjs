// An app that never rests once it is five seconds past: each thing that it does leads to the next.
import { createServer } from 'node:http'

setTimeout(() => {
  const go = () => setImmediate(go)
  go()
}, 5_000)
createServer((_, response) => response.end(JSON.stringify({ now: Date.now() }))).listen(process.env.PORT, '127.0.0.1')
