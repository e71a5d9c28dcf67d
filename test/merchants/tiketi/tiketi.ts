/**
 * Tickets, paid for on the service's own page. Sessions are kept in one JSON file. `BUG` plants one mistake. Without it
 * a session is written down before it is asked for, its id is taken from the answer or, where that was lost, from a
 * callback that its record bears out, and a ticket is valid only as the record says.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'

const env = process.env
const BUG = env['BUG'] ?? ''
const FILE = join(env['DATA'] ?? '', 'tickets.json')
const SESSIONS = '/api/sandbox/v1/checkout-sessions'
const MINUTE = 60_000

interface Session {
  reference: string
  ticket: string
  price: number
  state: string
  id: string | null
  asked: number
}

class Book {
  sessions: Session[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []
  /** Not looked at again after a restart, by one who forgets. */
  readonly open = new Set<string>()

  save() {
    writeFileSync(`${FILE}.tmp`, JSON.stringify(this.sessions))
    renameSync(`${FILE}.tmp`, FILE)
  }

  forget() {
    this.sessions = []
    this.open.clear()
    this.save()
  }

  of(reference: string) {
    return this.sessions.find((one) => one.reference === reference)
  }

  add(ticket: string, price: number): Session {
    const tries = this.sessions.filter((one) => one.ticket === ticket).length
    const session = { reference: `${ticket}-${tries + 1}`, ticket, price, state: 'due', id: null, asked: 0 }
    this.sessions.push(session)
    this.save()
    return session
  }
}

class Service {
  #token = ''

  forget() {
    this.#token = ''
  }

  async ask(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
    if (this.#token === '') await this.#login()
    const first = await this.#send(method, path, body)
    if (first.status !== 401) return first
    await this.#login()
    return this.#send(method, path, body)
  }

  /** Without a token nothing is done, which 401 says just as well. */
  async #login() {
    const keys = { apiKey: env['PAYMENTS_KEY'], apiSecret: env['PAYMENTS_SECRET'] }
    const answer = await this.#send('POST', '/api/v1/get-token', keys).catch(() => undefined)
    this.#token =
      answer?.status === 200 ? (answer.body as { data: { access_token: string } }).data.access_token : 'none'
  }

  async #send(method: string, path: string, body?: object) {
    const response = await fetch(env['PAYMENTS_BASE_URL'] + path, {
      method,
      headers: { 'content-type': 'application/json', ...(this.#token && { authorization: `Bearer ${this.#token}` }) },
      signal: AbortSignal.timeout(15_000),
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

const book = new Book()
const service = new Service()
let now = 0

async function begin(session: Session) {
  Object.assign(session, { state: 'asked', asked: now })
  book.save()
  const home = `http://127.0.0.1:${env['PORT']}`
  const wanted = {
    amount: session.price,
    currency: 'KES',
    description: `Ticket ${session.ticket}`,
    paymentMethods: ['MPESA_STK', 'CARD'],
    successUrl: `${home}/thanks`,
    cancelUrl: `${home}/sorry`,
    externalReference: session.reference,
    callbackUrl: `${home}/told/${session.reference}`,
  }
  const answer = await service.ask('POST', SESSIONS, wanted).catch(() => undefined)
  if (answer === undefined || answer.status >= 500) {
    if (BUG === 'silence-is-no') session.state = 'FAILED'
    if (BUG === 'another-page' && session.reference.endsWith('-1')) await begin(book.add(session.ticket, session.price))
  } else if (answer.status < 300) {
    session.id = String(answer.body['id'])
    if (session.state === 'asked') session.state = BUG === 'page-is-paid' ? 'SUCCESS' : 'PENDING'
    book.open.add(session.reference)
  } else session.state = [401, 402, 403, 423, 429].includes(answer.status) ? 'due' : 'REFUSED'
  book.save()
}

/** Gives whether the service said anything: of a session, or that there is none. */
async function look(session: Session, id = session.id): Promise<boolean> {
  if (id === null) return true
  const answer = await service.ask('GET', `${SESSIONS}/${id}`).catch(() => undefined)
  if (answer?.status !== 200) return answer?.status === 404
  // An id that a stranger told us may be that of anything.
  if (answer.body['externalRef'] !== session.reference) return true
  Object.assign(session, { id, state: String(answer.body['status']) })
  book.save()
  return true
}

async function told(session: Session | undefined, body: Record<string, unknown>) {
  if (!session) return
  if (session.id !== null && body['id'] !== undefined && body['id'] !== session.id && BUG === '')
    return second(session, String(body['id']))
  if (BUG === 'believes-callbacks') {
    Object.assign(session, { state: String(body['status']), id: String(body['id'] ?? session.id) })
    book.save()
    // Of a session without an id, nobody else tells it: who could not look at it wants to be told again.
  } else if (!(await look(session, String(body['id'] ?? session.id))) && session.id === null)
    throw new Error('the session cannot be read now')
}

/** A session that nobody here asked for: the service made a second one of a request, and no list shows it. */
async function second(first: Session, id: string) {
  const session: Session = { ...first, id: null, state: 'asked', asked: now }
  if (!(await look(session, id))) throw new Error('the session cannot be read now')
  if (session.id === null || book.sessions.some((one) => one.id === id)) return
  book.sessions.push(session)
  book.save()
}

async function round() {
  for (const session of [...book.sessions]) {
    const { state, id } = session
    if (state === 'due') await begin(session)
    // Nobody ever saw a page whose address was lost. Who pays there all the same is heard of by a callback.
    else if (id === null && state === 'asked' && now - session.asked > 120 * MINUTE) session.state = 'REFUSED'
    else if (BUG === 'only-told' || (BUG === 'forgets' && !book.open.has(session.reference))) continue
    else if (BUG === 'believes-callbacks' && state !== 'PENDING') continue
    else if (['page-is-paid', 'silence-is-no'].includes(BUG) && state !== 'PENDING') continue
    else if (BUG === 'looks-once' && state === 'PENDING' && now - session.asked > 10 * MINUTE) session.state = 'FAILED'
    else if (BUG === 'looks-once' && state === 'FAILED') continue
    else await look(session)
  }
  book.save()
}

let queue: Promise<unknown> = Promise.resolve()
function oneByOne(work: () => Promise<unknown>) {
  const done = queue.then(work)
  queue = done.catch(() => {})
  return done
}

const books = () =>
  book.sessions
    .filter((one) => one.state !== 'due')
    .map(({ reference, id, price, state }) => ({
      reference,
      requestId: id,
      kind: 'checkout',
      amount: price,
      currency: 'KES',
      status: state === 'asked' ? 'PENDING' : state,
    }))

async function bodyOf(request: IncomingMessage): Promise<Record<string, never>> {
  let text = ''
  for await (const part of request) text += part
  return text === '' ? {} : JSON.parse(text)
}

createServer(async (request, response) => {
  const [, place, reference = ''] = (request.url ?? '').split('/')
  try {
    const body = await bodyOf(request)
    if (place === 'tickets')
      await oneByOne(async () => {
        if (!book.sessions.some(({ ticket }) => ticket === body['ticket']))
          await begin(book.add(String(body['ticket']), Number(body['price'])))
      })
    if (place === 'reset') {
      book.forget()
      service.forget()
      now = 0
    }
    if (place === 'told') await told(book.of(reference), body)
    if (place === 'tick') {
      now = Date.parse(`${String(body['now']).slice(0, 23)}Z`)
      await oneByOne(round)
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(place === 'books' ? books() : { ok: true }))
  } catch (error) {
    response.statusCode = 500
    response.end(String(error))
  }
}).listen(Number(env['PORT']), '127.0.0.1')
