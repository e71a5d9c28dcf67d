// An app of ES modules, and what its libraries make of a time that a world moves.
import { createServer } from 'node:http'
import { setInterval as every } from 'node:timers/promises'
import { jwtVerify, SignJWT } from 'jose'
import cron from 'node-cron'
import { Agent, request } from 'undici'

const log = []
const note = (what) => log.push(`${new Date().toISOString().slice(11, 19)} ${what}`)

cron.schedule('31 16 * * *', () => note('node-cron'), { timezone: 'Etc/UTC' })

const secret = new TextEncoder().encode('a secret of thirty-two characters')
const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256' })
  .setIssuedAt()
  .setExpirationTime('3m')
  .sign(secret)
const checking = async () => {
  for await (const _ of every(120_000)) {
    try {
      await jwtVerify(token, secret)
      note('token holds')
    } catch (error) {
      return note(error.code)
    }
  }
}
checking()

// Nobody answers there: only a time-out ends a request.
const silent = createServer(() => {}).listen(0, '127.0.0.1', () => {
  const dispatcher = new Agent({ headersTimeout: 100_000 })
  request(`http://127.0.0.1:${silent.address().port}/`, { dispatcher }).catch(({ code }) => note(code))
})

createServer((_, response) => response.end(JSON.stringify(log))).listen(process.env.PORT, '127.0.0.1')
