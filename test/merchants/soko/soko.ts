/**
 * A market stall that is paid by phone: it hears of payments by callback first, and keeps them in a database of its own.
 * `BUG` plants one mistake. Without it a callback is only a reason to look, written down before it is acknowledged, and
 * what nobody told about is looked at every few hours.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const { PORT, DATA = '', PAYMENTS_BASE_URL, PAYMENTS_KEY, PAYMENTS_SECRET, PAYMENTS_COMPANY, BUG = '' } = process.env
const STK = '/api/sandbox/v1/stk'
const HOUR = 3_600_000
const OVER = ['SUCCESS', 'FAILED']

interface Sale {
  reference: string
  sale: string
  phone: string
  amount: number
  state: string
  id: string | null
  asked: number
  looked: number
}

const db = new DatabaseSync(join(DATA, 'soko.db'))
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS sale (reference TEXT PRIMARY KEY, sale TEXT, phone TEXT, amount REAL, state TEXT, id TEXT, asked REAL, looked REAL);
  CREATE TABLE IF NOT EXISTS credit (reference TEXT, id TEXT, amount REAL);
  CREATE TABLE IF NOT EXISTS heard (reference TEXT);`)

const all = () => db.prepare('SELECT * FROM sale ORDER BY rowid').all() as unknown as Sale[]
const saleOf = (reference: string) =>
  db.prepare('SELECT * FROM sale WHERE reference = ?').get(reference) as Sale | undefined
const set = (reference: string, changes: Partial<Sale>) => {
  for (const [name, value] of Object.entries(changes))
    db.prepare(`UPDATE sale SET ${name} = ? WHERE reference = ?`).run(value, reference)
}

let now = 0
let token: string | undefined

async function send(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const init = { method, headers, signal: AbortSignal.timeout(15_000), ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(PAYMENTS_BASE_URL + path, init)
  return { status: response.status, body: await response.json() }
}

/** Undefined where nothing was asked; throws where nobody answered. */
async function ask(method: string, path: string, body?: object) {
  for (let tries = 0; tries < 2; tries++) {
    if (!token) {
      const keys = { apiKey: PAYMENTS_KEY, apiSecret: PAYMENTS_SECRET }
      const login = await send('POST', '/api/v1/get-token', keys).catch(() => undefined)
      token = login?.status === 200 ? login.body.data.access_token : undefined
    }
    if (!token) return undefined
    const answer = await send(method, path, body)
    if (answer.status !== 401) return answer
    token = undefined
  }
  return undefined
}

async function prompt(sale: Sale) {
  set(sale.reference, { state: 'asked', asked: now })
  const body = {
    phoneNumber: sale.phone,
    amount: sale.amount,
    referenceId: sale.reference,
    accountReference: sale.sale,
    description: sale.reference,
    currencyCode: 'KSH',
    callbackUrl: `http://127.0.0.1:${PORT}/heard/${sale.reference}`,
  }
  const answer = await ask('POST', `${STK}/new`, body).catch(() => 'silence' as const)
  if (answer === 'silence') return
  const status = answer?.status ?? 401
  if (answer && status === 201) {
    set(sale.reference, { id: answer.body.data.requestId })
    const { state } = saleOf(sale.reference) as Sale
    if (!OVER.includes(state)) set(sale.reference, { state: 'PENDING' })
  } else if ([401, 402, 403, 423, 429].includes(status)) set(sale.reference, { state: 'due' })
  else if (status < 500 && (await look(sale.reference)) === 'absent') set(sale.reference, { state: 'REFUSED' })
}

async function record(reference: string) {
  const sale = saleOf(reference)
  const query = new URLSearchParams({ requestId: sale?.id ?? reference, companyId: PAYMENTS_COMPANY ?? '' })
  const answer = await ask('GET', `${STK}/single?${query}`).catch(() => undefined)
  return answer?.status === 404 ? 'absent' : answer?.status === 200 ? [answer.body.data].flat()[0] : undefined
}

async function look(reference: string) {
  if (BUG === 'checks-then-credits') {
    const known = db.prepare('SELECT 1 FROM credit WHERE reference = ?').get(reference)
    const found = await record(reference)
    if (!found || found === 'absent') return found
    set(reference, { state: found.status, id: found.uuid, looked: now })
    if (!known && found.status === 'SUCCESS') credit(reference, found.uuid, found.amount)
    return 'found'
  }
  const found = await record(reference)
  if (!found || found === 'absent') return found
  set(reference, { state: found.status, id: found.uuid, looked: now })
  return 'found'
}

function credit(reference: string, id: string | null, amount: number) {
  db.prepare('INSERT INTO credit VALUES (?, ?, ?)').run(reference, id, amount)
}

async function heard(reference: string, body: { status?: string; amount?: number }) {
  const sale = saleOf(reference)
  if (!sale) return
  switch (BUG) {
    case 'believes-callbacks':
      return set(reference, { state: String(body.status), looked: now })
    case 'believes-amounts':
      if (body.amount !== undefined) set(reference, { amount: Number(body.amount) })
      return look(reference)
    case 'credits-each-callback':
      if (body.status === 'SUCCESS') credit(reference, sale.id, sale.amount)
      return set(reference, { state: String(body.status) })
    case 'checks-then-credits':
      return look(reference)
    case 'remembers-in-memory':
      later.push(reference)
      return set(reference, { looked: Number.POSITIVE_INFINITY })
    default:
      db.prepare('INSERT INTO heard VALUES (?)').run(reference)
  }
}

const later: string[] = []

async function round() {
  for (const reference of later.splice(0)) await look(reference)
  for (const { reference } of db.prepare('SELECT DISTINCT reference FROM heard').all() as unknown as Sale[])
    if ((await look(reference)) !== undefined) db.prepare('DELETE FROM heard WHERE reference = ?').run(reference)
  for (const sale of all()) {
    if (sale.state === 'due') await prompt(sale)
    else if (sale.state === 'asked') {
      if ((await look(sale.reference)) === 'absent' && now - sale.asked >= HOUR / 6) await prompt(sale)
    } else if (sale.state === 'REFUSED' || BUG === 'only-hears' || BUG === 'believes-callbacks') continue
    else if (sale.looked === Number.POSITIVE_INFINITY) continue
    else if (BUG === 'credits-each-callback' && sale.state !== 'PENDING') continue
    else if (sale.state === 'PENDING' || now - sale.looked >= HOUR) await look(sale.reference)
  }
}

/** Payments that nobody here asked for, by their ids: the service made a second one of a request. */
const strays = new Map<string, Sale>()
let listed = -24 * HOUR

/** Once a day, and after each start. */
async function readList() {
  if (all().length === 0 || now - listed < 24 * HOUR) return
  const query = new URLSearchParams({ companyId: PAYMENTS_COMPANY ?? '' })
  const answer = await ask('GET', `${STK}/all?${query}`).catch(() => undefined)
  if (answer?.status !== 200) return
  for (const { uuid, status, description } of answer.body.data) {
    const sale = saleOf(description)
    // Of a sale without an id it may be the first.
    if (sale?.id && !all().some(({ id }) => id === uuid)) strays.set(uuid, { ...sale, id: uuid, state: status })
  }
  listed = now
}

let turn: Promise<unknown> = Promise.resolve()
const inTurn = (work: () => Promise<unknown>) => {
  turn = turn.then(work, work)
  return turn
}

function books() {
  const line = (sale: Sale, id: string | null, amount: number, state: string) => ({
    reference: sale.reference,
    requestId: id,
    kind: 'stk',
    amount,
    currency: 'KES',
    status: ['due', 'asked'].includes(state) ? 'PENDING' : state,
  })
  const second = [...strays.values()].map((sale) => line(sale, sale.id, sale.amount, sale.state))
  const first = all()
    .filter((sale) => sale.state !== 'due' || sale.id !== null)
    .flatMap((sale) => {
      const credits = db.prepare('SELECT * FROM credit WHERE reference = ?').all(sale.reference) as unknown as Sale[]
      if (credits.length === 0) return [line(sale, sale.id, sale.amount, sale.state)]
      return credits.map((one) => line(sale, one.id ?? sale.id, one.amount, sale.state))
    })
  return [...first, ...second]
}

interface Told {
  now: string
  sale: string
  phone: string
  amount: number
}

async function served(path: string, body: Told & { status?: string }) {
  const [, place, reference = ''] = path.split('/')
  if (place === 'heard') await heard(reference, body)
  else if (place === 'reset') {
    db.exec('DELETE FROM sale; DELETE FROM credit; DELETE FROM heard')
    later.length = 0
    strays.clear()
    listed = -24 * HOUR
    token = undefined
    now = 0
  } else if (place === 'tick') {
    now = Date.parse(`${body.now.slice(0, 23)}Z`)
    await inTurn(round)
    await inTurn(readList)
  } else if (place === 'sales')
    await inTurn(async () => {
      const { sale, phone, amount } = body
      if (all().some((one) => one.sale === sale)) return
      db.prepare("INSERT INTO sale VALUES (?, ?, ?, ?, 'due', NULL, 0, 0)").run(`${sale}-1`, sale, phone, amount)
      await prompt(saleOf(`${sale}-1`) as Sale)
    })
}

createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  try {
    if (request.method === 'POST') await served(request.url ?? '', text === '' ? {} : JSON.parse(text))
    const answer = JSON.stringify(request.url === '/books' ? books() : {})
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}).listen(Number(PORT), '127.0.0.1')
