/**
 * A shop that is paid by phone and pays its suppliers, in one file. `BUG` plants one mistake in it; without, it is
 * careful: written down before it is asked for, looked up by reference where nobody answered, and believed only as the
 * service's record says.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { PORT, DATA, PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY } = process.env
const bug = process.env.BUG ?? ''
const file = join(DATA, 'book.json')
const API = '/api/sandbox/v1'
const WAYS = { stk: `${API}/stk`, 'send-money': `${API}/send-money` }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SURELY_LOST = 10 * MINUTE
const OVER = ['SUCCESS', 'FAILED', 'REFUSED']

const book = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { now: 0, lines: [], extra: [] }
let token = ''
/** Payments that nobody here asked for, by their ids: the service made a second one of a request. */
const strays = new Map()
let listedAt = -DAY
/** What was acknowledged and waits for the next round. */
const queue = []
/** Work on money is done one after another. */
let turn = Promise.resolve()

function save() {
  writeFileSync(`${file}.new`, JSON.stringify(book))
  renameSync(`${file}.new`, file)
}

function inTurn(work) {
  if (bug === 'two-workers') return work()
  const done = turn.then(work)
  turn = done.catch(() => {})
  return done
}

async function call(method, path, body, headers = {}) {
  const response = await fetch(PAYMENTS_BASE_URL + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, body: await response.json() }
}

async function login() {
  const answer = await call('POST', '/api/v1/get-token', { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET }).catch(
    () => undefined,
  )
  token = answer?.status === 200 ? answer.body.data.access_token : ''
  return token !== ''
}

/** Undefined where nothing was asked. Throws where nobody knows. */
async function ask(method, path, body) {
  for (let i = 0; i < 2; i++) {
    if (token === '' && !(await login())) return undefined
    const answer = await call(method, path, body, { authorization: `Bearer ${token}` })
    if (answer.status !== 401) return answer
    token = ''
    if (bug === 'batch-again' && method === 'POST') return answer
  }
  return undefined
}

function add(kind, purpose, phone, amount) {
  const tries = book.lines.filter((line) => line.purpose === purpose).length
  const line = {
    reference: `${purpose}-${tries + 1}`,
    kind,
    purpose,
    phone,
    amount,
    state: 'due',
    requestId: null,
    askedAt: 0,
    since: book.now,
  }
  if (bug !== 'pays-before-it-writes') book.lines.push(line)
  save()
  return line
}

async function pay(line) {
  if (bug !== 'pays-before-it-writes') Object.assign(line, { state: 'asked', askedAt: book.now })
  if (bug === 'two-workers') {
    line.state = 'due'
    await Promise.resolve()
  }
  save()
  const path = line.kind === 'stk' ? `${API}/stk/new` : `${API}/send-money`
  const text = { remarks: line.reference, occasion: 'shop' }
  const prompt = { accountReference: line.purpose, description: line.reference, currencyCode: 'KSH' }
  let answer
  try {
    answer = await ask('POST', path, {
      phoneNumber: line.phone,
      amount: line.amount,
      referenceId: line.reference,
      callbackUrl: `http://127.0.0.1:${PORT}/callbacks/${line.reference}`,
      ...(line.kind === 'stk' ? prompt : text),
    })
  } catch {
    if (bug === 'pays-before-it-writes') book.lines.push(Object.assign(line, { state: 'asked', askedAt: book.now }))
    if (bug === 'asks-anew-without-answer') await pay(add(line.kind, line.purpose, line.phone, line.amount))
    if (bug === 'no-answer-is-failed') line.state = 'FAILED'
    save()
    return
  }
  if (bug === 'pays-before-it-writes') book.lines.push(Object.assign(line, { state: 'asked', askedAt: book.now }))
  if (answer === undefined) line.state = 'due'
  else if (answer.status === 201) {
    line.requestId = answer.body.data.requestId
    if (bug === 'accepted-is-paid') line.state = 'SUCCESS'
    else if (!OVER.includes(line.state) || bug === 'answer-overwrites') line.state = 'PENDING'
  } else if (bug === 'any-answer-is-accepted') line.state = 'PENDING'
  else if (answer.status === 401 && bug === 'batch-again') line.state = 'REFUSED'
  else if (answer.status >= 500 && bug === '5xx-is-failed') line.state = 'FAILED'
  else if (answer.status === 429 || answer.status === 423 || answer.status === 402) line.state = 'due'
  else if (answer.status < 500 && (await look(line)) !== 'found') line.state = 'REFUSED'
  save()
  return answer
}

/** Takes over what the service's record says. */
async function look(line) {
  const asked = line.requestId && bug !== 'never' ? line.requestId : line.reference
  const query = new URLSearchParams({ requestId: asked, companyId: PAYMENTS_COMPANY })
  const answer = await ask('GET', `${WAYS[line.kind]}/single?${query}`).catch(() => undefined)
  if (answer?.status === 404) return 'absent'
  if (answer?.status !== 200) return bug === 'no-look-is-absent' ? 'absent' : 'unknown'
  const record = [answer.body.data].flat()[0]
  line.requestId = record.uuid
  learn(line, record.status)
  return 'found'
}

function learn(line, status) {
  if (line.state === status) return
  if (line.state === 'SUCCESS' && bug === 'success-is-for-ever') return
  line.state = status
  line.since = book.now
  save()
}

/** Once a day the service's lists are read, and after each start. */
async function list() {
  if (book.now - listedAt < DAY) return
  for (const [kind, path] of Object.entries(WAYS)) {
    const ours = book.lines.filter((line) => line.kind === kind && line.requestId !== null)
    if (ours.length === 0) continue
    const answer = await ask('GET', `${path}/all?companyId=${PAYMENTS_COMPANY}`).catch(() => undefined)
    if (answer?.status !== 200) return
    for (const found of answer.body.data) {
      const twin = ours.find(({ reference }) => Object.values(found).includes(reference))
      if (twin && !ours.some(({ requestId }) => requestId === found.uuid))
        strays.set(found.uuid, { ...twin, requestId: found.uuid, state: found.status })
    }
  }
  listedAt = book.now
}

/** What comes round. */
async function work() {
  for (const { line, body } of queue.splice(0)) await hear(line, body)
  for (const line of [...book.lines]) {
    const age = book.now - line.askedAt
    if (line.state === 'due') await pay(line)
    else if (line.state === 'asked') {
      if ((await look(line)) === 'absent' && (age >= SURELY_LOST || bug === 'no-look-is-absent')) {
        if (bug === 'no-look-is-absent') {
          line.state = 'REFUSED'
          await pay(add(line.kind, line.purpose, line.phone, line.amount))
        } else await pay(line)
      }
    } else if (line.state === 'REFUSED') continue
    else if (bug === 'never-looks') continue
    else if (['acknowledged-in-memory', 'answer-overwrites'].includes(bug) && line.told) continue
    else if (bug === 'stops-looking' && age > 20 * MINUTE) continue
    else if (OVER.includes(line.state) && closes()) continue
    else if (line.state === 'SUCCESS' && bug === 'success-is-for-ever') continue
    else await look(line)
  }
  await list()
  save()
}

/** Editions that take the callback's word for it. */
function trusting() {
  return [
    'believes-callbacks',
    'last-callback-wins',
    'not-failed-is-paid',
    'callback-amount',
    'credits-each-callback',
    'stranger',
  ].includes(bug)
}

/** Editions that look no more at what they take to be over. */
function closes() {
  return trusting() || ['no-answer-is-failed', '5xx-is-failed', 'accepted-is-paid', 'failed-is-final'].includes(bug)
}

async function hear(line, body) {
  if (!line) return
  line.told = true
  switch (bug) {
    case 'believes-callbacks':
    case 'callback-amount':
      if (!OVER.includes(line.state)) learn(line, body.status)
      if (bug === 'callback-amount' && body.amount !== undefined) line.amount = Number(body.amount)
      break
    case 'last-callback-wins':
      learn(line, body.status)
      break
    case 'not-failed-is-paid':
      if (!OVER.includes(line.state)) learn(line, body.status === 'FAILED' ? 'FAILED' : 'SUCCESS')
      break
    case 'credits-each-callback':
      if (line.state === 'SUCCESS' && body.status === 'SUCCESS') book.extra.push({ ...line })
      else if (!OVER.includes(line.state)) learn(line, body.status)
      break
    case 'credits-in-a-race': {
      if (line.credited) break
      const copy = { ...line }
      await look(copy)
      if (copy.state === 'SUCCESS') {
        if (line.credited) book.extra.push(copy)
        Object.assign(line, copy, { credited: true })
      }
      break
    }
    default:
      await look(line)
  }
  save()
}

async function callback(reference, body) {
  const line = book.lines.find((one) => one.reference === reference)
  if (bug === 'stranger') {
    const known = book.lines.find((one) => one.requestId !== null && JSON.stringify(body).includes(one.requestId))
    const id = body.requestId ?? body.uuid ?? body.transactionId
    if (known) return hear(known, body)
    if (line && body.status === 'SUCCESS')
      book.extra.push({ ...line, reference: undefined, requestId: id, state: 'SUCCESS' })
    return save()
  }
  if (bug === 'acknowledged-in-memory') {
    if (line) line.told = true
    save()
    queue.push({ line, body })
    return
  }
  if (bug === 'credits-in-a-race' || bug === 'answer-overwrites') return hear(line, body)
  // A reason to look, and no more: in the next round, which comes soon.
  if (line && !trusting() && bug !== 'never-looks' && bug !== 'answer-overwrites') return
  return inTurn(() => hear(line, body))
}

const posts = {
  '/sales': (body) => inTurn(() => once('stk', body.order, body.phone, body.price)),
  '/suppliers': (body) => inTurn(() => batch(body)),
  '/retry': () => inTurn(retry),
  '/reset': () => {
    Object.assign(book, { now: 0, lines: [], extra: [] })
    token = ''
    strays.clear()
    listedAt = -DAY
    queue.length = 0
    save()
  },
  '/tick': (body) => {
    book.now = Date.parse(`${body.now.slice(0, 23)}Z`)
    return inTurn(work)
  },
}

async function once(kind, purpose, phone, amount) {
  if (!book.lines.some((line) => line.purpose === purpose)) return pay(add(kind, purpose, phone, amount))
}

/** Two suppliers at a time. */
async function batch({ name, phones, amount }) {
  for (const [i, phone] of phones.entries()) {
    const answer = await once('send-money', `${name}${'ab'[i]}`, phone, amount)
    if (answer?.status === 401 && bug === 'batch-again') {
      // From the beginning, with another token.
      for (const [j, again] of phones.entries()) {
        const purpose = `${name}${'ab'[j]}`
        await pay(book.lines.find((line) => line.purpose === purpose) ?? add('send-money', purpose, again, amount))
      }
      return
    }
  }
}

/** Pays again what failed at least a day ago: until then a failure may turn out to be none. */
async function retry() {
  const last = new Map(book.lines.map((line) => [line.purpose, line]))
  for (const line of last.values()) {
    const waits = bug === 'failed-is-final' ? 0 : DAY
    if (line.kind === 'send-money' && line.state === 'FAILED' && book.now - line.since >= waits)
      await pay(add(line.kind, line.purpose, line.phone, line.amount))
  }
}

function books() {
  const words = { due: 'PENDING', asked: 'PENDING' }
  return [...book.lines, ...book.extra, ...strays.values()]
    .filter((line) => line.requestId !== null || line.state !== 'due')
    .map((line) => ({
      reference: line.reference,
      requestId: line.requestId,
      kind: line.kind,
      amount: line.amount,
      currency: 'KES',
      status: words[line.state] ?? line.state,
    }))
}

if (bug === 'restart-repeats')
  for (const line of [...book.lines])
    if (line.state === 'asked') {
      line.state = 'REFUSED'
      add(line.kind, line.purpose, line.phone, line.amount)
    }

createServer(async (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  try {
    let text = ''
    for await (const part of request) text += part
    const body = text === '' ? {} : JSON.parse(text)
    const [, place, reference] = request.url.split('/')
    if (request.method === 'GET') return answer(200, place === 'books' ? books() : { ok: true })
    if (place === 'callbacks') await callback(reference, body)
    else await posts[`/${place}`](body)
    answer(200, { ok: true })
  } catch (error) {
    answer(500, { error: String(error) })
  }
}).listen(PORT, '127.0.0.1')
