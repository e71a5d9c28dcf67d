// An app with a timer every five seconds.
import { createServer } from 'node:http'

let fired = 0
setInterval(() => {
  fired++
}, 5_000)
createServer((_, response) => response.end(JSON.stringify({ fired, now: new Date() }))).listen(
  process.env.PORT,
  '127.0.0.1',
)
