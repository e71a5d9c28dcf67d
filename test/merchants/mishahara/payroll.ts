/**
 * Pays salaries by phone, and bonuses when somebody asks for one. It keeps a database of its own, caches its token, tries
 * again later and longer, and looks at what nobody told it about. `BUG` plants one mistake.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const { PORT, DATA = '', PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY, BUG = '' } = process.env
const SEND_MONEY = '/api/sandbox/v1/send-money'
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

interface Payment {
  reference: string
  phone: string
  amount: number
  state: string
  id: string | null
  tries: number
  dueAt: number
  lookedAt: number
}

const db = new DatabaseSync(join(DATA, 'payroll.db'))
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS employee (name TEXT PRIMARY KEY, phone TEXT, salary REAL);
  CREATE TABLE IF NOT EXISTS payment (reference TEXT PRIMARY KEY, phone TEXT, amount REAL, state TEXT, id TEXT, tries INTEGER, dueAt REAL, lookedAt REAL);
  CREATE TABLE IF NOT EXISTS heard (at TEXT, body TEXT);
  CREATE TABLE IF NOT EXISTS job (name TEXT, at TEXT);`)

const payments = () => db.prepare('SELECT * FROM payment ORDER BY rowid').all() as unknown as Payment[]
const paymentOf = (reference: string) =>
  db.prepare('SELECT * FROM payment WHERE reference = ?').get(reference) as Payment | undefined
const set = (reference: string, changes: Partial<Payment>) => {
  for (const [name, value] of Object.entries(changes))
    db.prepare(`UPDATE payment SET ${name} = ? WHERE reference = ?`).run(value, reference)
}
const add = (reference: string, phone: string, amount: number) =>
  db.prepare("INSERT OR IGNORE INTO payment VALUES (?, ?, ?, 'due', NULL, 0, 0, 0)").run(reference, phone, amount)

let token: { text: string; until: number } | undefined
let now: () => number = () => 0

async function send(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token.text}` }) }
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(15 * SECOND),
    ...(body && { body: JSON.stringify(body) }),
  }
  const response = await fetch(PAYMENTS_BASE_URL + path, init)
  return { status: response.status, body: await response.json() }
}

/** Undefined where nothing was asked; throws where nobody answered. */
async function ask(method: string, path: string, body?: object) {
  for (let tries = 0; tries < 2; tries++) {
    if (!token || token.until <= now()) {
      token = undefined
      const keys = { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET }
      const login = await send('POST', '/api/v1/get-token', keys).catch(() => undefined)
      if (login?.status !== 200) return undefined
      const { access_token: text, expires_in: seconds } = login.body.data
      token = { text, until: now() + (seconds - 30) * SECOND }
    }
    const answer = await send(method, path, body)
    if (answer.status !== 401) return answer
    token = undefined
  }
  return undefined
}

async function pay(payment: Payment) {
  const { reference, phone, amount, tries } = payment
  set(reference, { state: 'asked', tries: tries + 1, dueAt: now() + 10 * SECOND * 2 ** Math.min(tries, 10) })
  const body = {
    phoneNumber: phone,
    amount,
    currencyCode: 'KSH',
    remarks: reference,
    occasion: 'Salary',
    referenceId: reference,
    callbackUrl: `http://127.0.0.1:${PORT}/heard/${encodeURIComponent(reference)}`,
  }
  const answer = await ask('POST', SEND_MONEY, body).catch(() => 'silence' as const)
  if (answer === 'silence') {
    if (BUG === 'silence-is-no') set(reference, { state: 'REFUSED' })
    return
  }
  const status = answer?.status ?? 401
  if (answer && status === 201) {
    set(reference, { id: answer.body.data.requestId })
    if (paymentOf(reference)?.state === 'asked') set(reference, { state: 'PENDING', lookedAt: now() })
  } else if ([401, 402, 403, 423, 429].includes(status)) set(reference, { state: 'due' })
  else if (status < 500 && (await look(reference)) === 'absent') set(reference, { state: 'REFUSED' })
}

async function look(reference: string) {
  const query = new URLSearchParams({
    requestId: paymentOf(reference)?.id ?? reference,
    companyId: PAYMENTS_COMPANY ?? '',
  })
  set(reference, { lookedAt: now() })
  const answer = await ask('GET', `${SEND_MONEY}/single?${query}`).catch(() => undefined)
  if (answer?.status === 404) return 'absent'
  if (answer?.status !== 200) return undefined
  const found = [answer.body.data].flat()[0]
  set(reference, { state: found.status, id: found.uuid })
  return 'found'
}

/** Everybody who is employed is paid for the month. */
export async function payDay(): Promise<void> {
  const month = new Date(now()).toISOString().slice(0, 7)
  for (const { name, phone, salary } of db.prepare('SELECT * FROM employee ORDER BY rowid').all() as unknown as {
    name: string
    phone: string
    salary: number
  }[])
    add(`${name}-${month}`, phone, salary)
  await round()
}

/** Payments that nobody here asked for, by their ids: the service made a second one of a request. */
const strays = new Map<string, Payment>()
let listedAt = -24 * HOUR

/** Once a day, and after each start. */
async function readList() {
  if (payments().length === 0 || now() - listedAt < 24 * HOUR) return
  const query = new URLSearchParams({ companyId: PAYMENTS_COMPANY ?? '' })
  const answer = await ask('GET', `${SEND_MONEY}/all?${query}`).catch(() => undefined)
  if (answer?.status !== 200) return
  for (const { uuid, status, remarks } of answer.body.data) {
    const payment = paymentOf(remarks)
    // Of a payment without an id it may be the first.
    if (payment?.id && !payments().some(({ id }) => id === uuid))
      strays.set(uuid, { ...payment, id: uuid, state: status })
  }
  listedAt = now()
}

/** The morning's look at everything that is not over, and a line in the log. */
export async function daily(): Promise<void> {
  db.prepare('INSERT INTO job VALUES (?, ?)').run('daily', new Date(now()).toISOString())
  for (const { reference, state } of payments())
    if (state !== 'due' && state !== 'REFUSED' && BUG !== 'only-hears') await inTurn(() => look(reference))
}

let turn: Promise<unknown> = Promise.resolve()
function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  turn = turn.then(work, work)
  return turn
}

/** What is due now is sent, and what nobody told about is looked at. */
export function round(): Promise<unknown> {
  return inTurn(async () => {
    for (const { reference } of payments()) {
      const payment = paymentOf(reference) as Payment
      const isLookedAt = now() - payment.lookedAt >= MINUTE
      if (payment.state === 'due' && payment.dueAt <= now()) await pay(payment)
      else if (payment.state === 'asked' && payment.dueAt <= now()) {
        if ((await look(reference)) === 'absent') await pay(payment)
      } else if (payment.state === 'PENDING' && isLookedAt && BUG !== 'only-hears') await look(reference)
      else if (payment.state === 'SUCCESS' && now() - payment.lookedAt >= HOUR && BUG === '') await look(reference)
    }
    await readList()
  })
}

function books() {
  return [...payments(), ...strays.values()]
    .filter(({ state, id }) => state !== 'due' || id !== null)
    .map(({ reference, id, amount, state }) => ({
      reference,
      requestId: id,
      kind: 'send-money',
      amount,
      currency: 'KES',
      status: ['due', 'asked'].includes(state) ? 'PENDING' : state,
    }))
}

interface Asked {
  name: string
  phone: string
  amount: number
  status?: string
}

/** Serves people and the service. `nowMs`: what time it is; `more`: what else it is asked for, by path. */
export function serve(nowMs: () => number, more: Record<string, (body: never) => Promise<unknown>> = {}): void {
  now = nowMs
  const served = async (path: string, body: Asked) => {
    const [, place = '', reference = ''] = path.split('/')
    if (place === 'employees') {
      db.prepare('INSERT OR REPLACE INTO employee VALUES (?, ?, ?)').run(body.name, body.phone, body.amount)
    } else if (place === 'bonuses') {
      add(`${body.name}-bonus`, body.phone, body.amount)
      await round()
    } else if (place === 'heard') {
      db.prepare('INSERT INTO heard VALUES (?, ?)').run(new Date(now()).toISOString(), JSON.stringify(body))
      if (BUG === 'believes-callbacks') set(decodeURIComponent(reference), { state: String(body.status) })
      else void inTurn(() => look(decodeURIComponent(reference)))
    } else await more[place]?.(body as never)
  }
  const shown: Record<string, () => unknown> = {
    '/books': books,
    '/jobs': () => db.prepare('SELECT * FROM job').all(),
    '/heard': () => db.prepare('SELECT * FROM heard').all(),
  }
  createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    try {
      if (request.method === 'POST') await served(request.url ?? '', text === '' ? {} : JSON.parse(text))
      const answer = JSON.stringify(shown[request.url ?? '']?.() ?? {})
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(Number(PORT), '127.0.0.1')
}
