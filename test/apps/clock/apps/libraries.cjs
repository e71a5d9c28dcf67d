// What well-known libraries make of a time that a world moves. CommonJS, as many apps still are.
const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')
const { Worker } = require('node:worker_threads')
const axios = require('axios')
const { Cron } = require('croner')
const jsonwebtoken = require('jsonwebtoken')

const log = []
const note = (what) => log.push(`${new Date().toISOString().slice(11, 19)} ${what}`)
const failed = (what) => (error) => note(`${what} ${typeof error.code === 'string' ? error.code : error.name}`)

new Cron('30 16 * * *', { timezone: 'UTC' }, () => note('croner'))
const token = jsonwebtoken.sign({ sub: 'me' }, 'secret', { expiresIn: '5m' })
const later = async () => {
  for (;;) {
    await sleep(120_000)
    try {
      jsonwebtoken.verify(token, 'secret')
      note('token holds')
    } catch (error) {
      return note(error.name)
    }
  }
}
later()

// Nobody answers there: only a time-out ends a request.
const silent = http
  .createServer(() => {})
  .listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${silent.address().port}/`
    axios.get(url, { timeout: 90_000 }).catch(failed('axios'))
    fetch(url, { signal: AbortSignal.timeout(45_000) }).catch(failed('fetch'))
  })

const began = performance.now()
setTimeout(() => note(`measured ${Math.round(performance.now() - began)} ms`), 60_000)
const interval = setInterval(() => {
  note('interval')
  clearInterval(interval)
}, 150_000)
new Worker(require.resolve('./thread.cjs')).on('message', (said) => note(`worker ${said}`))

http.createServer((_, response) => response.end(JSON.stringify(log))).listen(process.env.PORT, '127.0.0.1')
