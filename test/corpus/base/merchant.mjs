/**
 * What the merchants in Node share: a book in one JSON file, a client of the service, and a server. `MENDED=1` starts the
 * mended edition. As long as a case does not say otherwise, a merchant is careful: it writes a payment down before it
 * asks, takes silence for "nobody knows", looks payments up by reference, and believes only the service's record.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { PORT, DATA, PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY } = process.env
const API = '/api/sandbox/v1'
const HOME = `http://127.0.0.1:${PORT}`
const FILE = join(DATA, 'book.json')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Answers by which nothing was done for now. */
const NOT_NOW = [401, 402, 403, 423, 429]
const ENDED = ['SUCCESS', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'REFUSED']

export const mended = process.env.MENDED === '1'
/** All that outlives a crash: `lines` are payments, and a case may keep more. */
export const book = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { lines: [] }
/** The world's time in milliseconds, as of the last tick. */
export let now = 0
let token = ''

export function save() {
  writeFileSync(`${FILE}.new`, JSON.stringify(book))
  renameSync(`${FILE}.new`, FILE)
}

export const ended = (line) => ENDED.includes(line.state)
export const paid = (line) => line.state === 'SUCCESS' || line.state === 'SUCCEEDED'
export const known = (reference) => book.lines.find((line) => line.reference === reference)

/** A line of the books: `{ kind, reference, amount, phone }`, and whatever else a case wants to know. */
export const draft = (line) => ({ state: 'due', id: null, askedAt: 0, ...line })

export function add(line) {
  book.lines.push(draft(line))
  save()
  return book.lines.at(-1)
}

/** One request, with a new token where the last one is no good. Throws where nobody answers. */
export async function call(method, path, body, headers) {
  for (let tries = 1; ; tries++) {
    if (token === '') {
      const keys = { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET }
      const login = await once('POST', '/api/v1/get-token', keys).catch(() => ({ status: 401 }))
      if (login.status !== 200) return { status: 401 }
      token = login.body.data.access_token
    }
    const answer = await once(method, path, body, headers)
    if (answer.status !== 401 || tries === 2) return answer
    token = ''
  }
}

async function once(method, path, body, headers) {
  const response = await fetch(PAYMENTS_BASE_URL + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

const ways = {
  stk: {
    path: `${API}/stk/new`,
    all: `${API}/stk/all?`,
    one: `${API}/stk/single?`,
    body: (line) => ({ ...payment(line), accountReference: line.order ?? line.reference, currencyCode: 'KSH' }),
  },
  'send-money': {
    path: `${API}/send-money`,
    all: `${API}/send-money/all?`,
    one: `${API}/send-money/single?`,
    body: (line) => ({ ...payment(line), remarks: line.reference, occasion: line.order ?? line.reference }),
  },
  'bank-payout': {
    path: `${API}/bank/payout/new`,
    all: `${API}/bank/payout/all?`,
    one: `${API}/bank/payout/single?`,
    body: (line) => ({
      amount: line.amount,
      bankCode: '0068',
      creditAccountNumber: line.account,
      beneficiaryName: 'Jane Wanjiku',
      narration: line.order ?? line.reference,
      ...told(line),
    }),
  },
  checkout: {
    path: `${API}/checkout-sessions`,
    one: `${API}/checkout-sessions/`,
    body: (line) => ({
      amount: line.amount,
      currency: 'KES',
      description: line.reference,
      paymentMethods: ['MPESA_STK', 'CARD'],
      successUrl: `${HOME}/thanks/${line.reference}`,
      cancelUrl: `${HOME}/sorry`,
      externalReference: line.reference,
      callbackUrl: `${HOME}/told/${line.reference}`,
    }),
  },
}

const told = (line) => ({ referenceId: line.reference, callbackUrl: `${HOME}/told/${line.reference}` })
const payment = (line) => ({
  phoneNumber: line.phone,
  amount: line.amount,
  description: line.reference,
  ...told(line),
})

/** Sends the request for a payment, and gives the answer. Throws where there is none. */
export const request = (line, headers) => call('POST', ways[line.kind].path, ways[line.kind].body(line), headers)

/** The id of the payment that an answer speaks of. */
export const idIn = ({ body }) => body.data?.requestId ?? body.id

/** The service's record of a payment; `absent`, or undefined where nobody can tell. */
export async function record(line) {
  const { one } = ways[line.kind]
  const query = new URLSearchParams({ requestId: line.id ?? line.reference, companyId: PAYMENTS_COMPANY })
  const answer = await call('GET', line.kind === 'checkout' ? one + line.id : one + query).catch(() => undefined)
  if (answer?.status === 404) return 'absent'
  if (answer?.status !== 200) return undefined
  return [answer.body.data ?? answer.body].flat()[0]
}

/** Asks for a payment that is written down. */
export async function ask(line, send = (one) => request(one)) {
  Object.assign(line, { state: 'asked', askedAt: now })
  save()
  const answer = await send(line).catch(() => undefined)
  if (answer === undefined || answer.status >= 500) return
  if (answer.status < 300) {
    line.id = idIn(answer)
    if (line.state === 'asked') line.state = 'PENDING'
  } else if (NOT_NOW.includes(answer.status)) line.state = 'due'
  else if ((await look(line)) === 'absent') line.state = 'REFUSED'
  save()
}

/** Books what the service's record says. */
export async function look(line, id = line.id) {
  // A session is known by its id only; whoever says one may be a stranger.
  if (line.kind === 'checkout' && id === null) return 'absent'
  const found = await record({ ...line, id })
  if (found === undefined || found === 'absent') return found
  if (line.kind === 'checkout' && found.externalRef !== line.reference) return undefined
  Object.assign(line, { state: found.status, id: found.uuid ?? found.id })
  save()
  return 'found'
}

/** Asks for what is due, and looks at the rest; a case says at what of it. */
export async function round(watched = () => true) {
  for (const line of [...book.lines]) {
    const surely = now - line.askedAt >= (line.kind === 'checkout' ? 2 * HOUR : 10 * MINUTE)
    if (line.state === 'due') await ask(line)
    else if (line.state === 'asked') {
      if ((await look(line)) !== 'absent' || !surely) continue
      // Nobody ever saw a page whose address was lost.
      if (line.kind !== 'checkout') await ask(line)
      else line.state = 'REFUSED'
      save()
    } else if (line.state !== 'REFUSED' && watched(line)) await look(line)
  }
}

/** Payments that nobody here asked for: the service made a second one of a request. By their ids. */
const strays = new Map()
let listedAt = -DAY

/** Once a day the service's lists are read, and after each start. */
async function list() {
  if (now - listedAt < DAY) return
  for (const [kind, { all }] of Object.entries(ways)) {
    const ours = book.lines.filter((line) => line.kind === kind)
    if (!all || ours.length === 0) continue
    const answer = await call('GET', all + new URLSearchParams({ companyId: PAYMENTS_COMPANY })).catch(() => undefined)
    if (answer?.status !== 200) return
    for (const found of answer.body.data) {
      if (ours.some(({ id }) => id === found.uuid)) continue
      // Of a line without an id it may be the first.
      const twin = ours.find((line) => line.id !== null && Object.values(found).includes(line.order ?? line.reference))
      if (twin) strays.set(found.uuid, { ...twin, id: found.uuid, amount: Number(found.amount), state: found.status })
    }
  }
  listedAt = now
}

/** What becomes of a callback: it is a reason to look. */
export async function hear(line, body) {
  if (line?.kind === 'checkout' && line.id !== null && body.id !== undefined && body.id !== line.id)
    return second(line, body.id)
  // Of a session without an id nobody else tells it: who could not look wants to be told again.
  if (line && (await look(line, line.id ?? body.id ?? null)) === undefined && line.id === null)
    throw new Error('cannot be read now')
}

/** A session that nobody here asked for: the service made a second one of a request, and no list shows it. */
async function second(line, id) {
  const found = await record({ ...line, id })
  if (found === undefined) throw new Error('cannot be read now')
  if (found.externalRef !== line.reference || book.lines.some((one) => one.id === id)) return
  add({ ...line, id, state: found.status })
}

export function shown({ reference, id, kind, amount, state }) {
  return {
    reference,
    requestId: id,
    kind,
    amount,
    currency: 'KES',
    status: state === 'asked' || state === 'due' ? 'PENDING' : state,
  }
}

const books = () => book.lines.filter(({ state, id }) => state !== 'due' || id !== null).map(shown)

/** Work on money is done one after another. */
let turn = Promise.resolve()
export function inTurn(work) {
  const done = turn.then(work)
  turn = done.catch(() => {})
  return done
}

/**
 * Starts it. `acts`: what is done at a path, in turn. `told`: a callback. `tick`: the periodic work. `books`: its lines.
 * `forget`: what else a reset takes away.
 */
export function serve({ acts = {}, told = hear, tick = () => round(), books: lines = books, forget = () => {} }) {
  createServer(async (asked, response) => {
    let text = ''
    for await (const part of asked) text += part
    const [, place, reference] = asked.url.split('/')
    const say = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    try {
      const body = text === '' ? {} : JSON.parse(text)
      if (place === 'books') return say(200, [...lines(), ...[...strays.values()].map(shown)])
      if (place === 'told') await told(known(reference), body, reference, { headers: asked.headers, text })
      else if (place === 'tick') {
        now = Date.parse(`${body.now.slice(0, 23)}Z`)
        await inTurn(tick)
        await inTurn(list)
      } else if (place === 'reset') {
        Object.keys(book).forEach((name) => {
          delete book[name]
        })
        book.lines = []
        strays.clear()
        listedAt = -DAY
        token = ''
        now = 0
        forget()
        save()
      } else if (acts[place]) await acts[place](body, reference)
      say(200, {})
    } catch (error) {
      say(500, { error: String(error) })
    }
  }).listen(Number(PORT), '127.0.0.1')
}
