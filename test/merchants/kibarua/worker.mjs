/** Asks for the wages that were taken in, and looks at what became of them, whenever it is told the time. */
import { bug, db, serve, set, wages } from './book.mjs'

const { CALLBACKS, PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY } = process.env
const SEND = '/api/sandbox/v1/send-money'
const SURELY_LOST_MS = 600_000
const DAY_MS = 86_400_000

// A worker that died may have asked, or not: only the service knows.
if (bug !== 'web-recovers') db.exec("UPDATE wage SET state = 'unsure' WHERE state = 'taken'")
db.exec('DELETE FROM listed')

async function send(method, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const init = { method, headers, signal: AbortSignal.timeout(15_000), ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(PAYMENTS_BASE_URL + path, init)
  return { status: response.status, body: await response.json() }
}

/** In the database, so that a reset by command forgets it. */
async function login() {
  const kept = db.prepare('SELECT value FROM token').get()
  if (kept) return kept.value
  const keys = { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET }
  const answer = await send('POST', '/api/v1/get-token', keys).catch(() => undefined)
  if (answer?.status !== 200) return undefined
  db.prepare('INSERT INTO token VALUES (?)').run(answer.body.data.access_token)
  return answer.body.data.access_token
}

/** Undefined where nothing was asked. Throws where nobody knows. */
async function ask(method, path, body) {
  for (let tries = 0; tries < 2; tries++) {
    const token = await login()
    if (token === undefined) return undefined
    const answer = await send(method, path, body, token)
    if (answer.status !== 401) return answer
    db.exec('DELETE FROM token')
  }
}

async function pay({ reference, phone, amount }, now) {
  set(reference, { state: 'taken', asked: now })
  const request = { phoneNumber: phone, amount, remarks: reference, occasion: 'wages', referenceId: reference }
  let answer
  try {
    answer = await ask('POST', SEND, { ...request, callbackUrl: CALLBACKS })
  } catch {
    return set(reference, { state: 'unsure' })
  }
  if (answer === undefined || [402, 423, 429].includes(answer.status)) return set(reference, { state: 'queued' })
  if (answer.status === 201) return set(reference, { state: 'PENDING', id: answer.body.data.requestId })
  set(reference, { state: 'unsure' })
  // A refusal says nothing about what was asked before by this name.
  if (answer.status < 500 && !(await look({ reference }))) set(reference, { state: 'REFUSED' })
}

/** Takes over what the service's record says; false where there is none. */
async function look({ reference, id }) {
  const query = new URLSearchParams({ requestId: id ?? reference, companyId: PAYMENTS_COMPANY })
  const answer = await ask('GET', `${SEND}/single?${query}`).catch(() => undefined)
  if (answer?.status !== 200) return answer?.status !== 404
  const [record] = [answer.body.data].flat()
  set(reference, { state: record.status, id: record.uuid })
  return true
}

/** Once a day the service's list is read, and after each start. */
async function list(now) {
  const ours = wages().filter(({ id }) => id !== null)
  const { at } = db.prepare('SELECT at FROM listed').get() ?? {}
  if (ours.length === 0 || (at !== undefined && now - at < DAY_MS)) return
  const answer = await ask('GET', `${SEND}/all?companyId=${PAYMENTS_COMPANY}`).catch(() => undefined)
  if (answer?.status !== 200) return
  for (const found of answer.body.data) {
    const twin = ours.find(({ reference }) => Object.values(found).includes(reference))
    if (twin && !ours.some(({ id }) => id === found.uuid))
      db.prepare('INSERT OR REPLACE INTO stray VALUES (?, ?, ?, ?)').run(
        found.uuid,
        twin.reference,
        twin.amount,
        found.status,
      )
  }
  db.exec('DELETE FROM listed')
  db.prepare('INSERT INTO listed VALUES (?)').run(now)
}

async function work(now) {
  for (const wage of wages()) {
    if (wage.state === 'queued') await pay(wage, now)
    else if (wage.state === 'unsure') {
      if (!(await look(wage)) && now - wage.asked >= SURELY_LOST_MS) await pay(wage, now)
    } else if (wage.state !== 'taken') await look(wage)
  }
  await list(now)
}

/** One round after another. */
let turn = Promise.resolve()

serve((asked, body) => {
  if (asked !== 'POST /work') return
  turn = turn.catch(() => {}).then(() => work(Date.parse(`${body.now.slice(0, 23)}Z`)))
  return turn
})
