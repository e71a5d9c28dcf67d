/** Mizigo's own HTTP interface: for its shop and its back office, and for the service's callbacks. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Book, type Payment } from './book.ts'
import { booksOf } from './books.ts'
import { type Clock, wallClock } from './clock.ts'
import { Payments } from './payments.ts'
import { railOf, rails, type Way } from './rails.ts'
import { PaymentsService } from './service.ts'
import type { Settings } from './settings.ts'
import { isSigned } from './signature.ts'

/** A running Mizigo. */
export interface App {
  url: string
  book: Book
  /** Looks into what came, and asks for what is due. main.ts calls it every second. */
  work(): Promise<void>
  /** Holds the book against the service's records. main.ts calls it every five minutes. */
  reconcile(): Promise<void>
  close(): Promise<void>
}

/** What a caller did wrong, or asked for in vain. */
class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Something that can be paid in cents, and therefore at all. */
const LARGEST_SHILLINGS = 1_000_000

/** Listens, and resolves when it does. Nothing is done behind your back: call `work` and `reconcile`. */
export async function startApp(settings: Settings, clock: Clock = wallClock): Promise<App> {
  const book = new Book(settings.database)
  const server = createServer()
  server.listen(settings.port)
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const service = new PaymentsService(settings, clock)
  const payments = new Payments({ book, service, settings, clock, publicUrl: settings.publicUrl ?? url })

  /** A customer wants something delivered, and pays on the phone or on a page. */
  async function order(body: Fields) {
    const phone = textOf(body, 'customerPhone')
    const price = amountOf(body, 'price')
    const way = oneOf(body, 'payBy', ['stk', 'checkout'] as const)
    if (way === 'stk' && price % 100 !== 0) throw new Refused(400, 'price: a phone is asked for whole shillings')
    return pay(book.addDelivery(phone, price).number, way)
  }

  /** A try at being paid for a delivery: one at a time. */
  async function pay(number: string, way: 'stk' | 'checkout') {
    const delivery = book.delivery(number)
    if (!delivery) throw new Refused(404, `there is no delivery ${number}`)
    const open = book.tries(number).find(({ state }) => ['due', 'asked', 'pending', 'paid'].includes(state))
    if (open) throw new Refused(409, `${number} is paid or being paid: ${open.reference} is ${open.state}`)
    const back = `${settings.publicUrl ?? url}/deliveries/${number}`
    const details: Record<string, string> =
      way === 'stk' ? { phoneNumber: delivery.customerPhone } : { successUrl: back, cancelUrl: back }
    const { reference } = book.addPayment(number, way, delivery.price, details, clock.now())
    await payments.work()
    return { delivery: number, ...shown(book.payment(reference) as Payment) }
  }

  /** A name that comes again is the same payout: the back office may click twice. */
  async function payOut(body: Fields) {
    const name = textOf(body, 'name')
    // A delivery's number begins with a capital letter.
    if (!/^[a-z][\w-]{0,39}$/.test(name))
      throw new Refused(400, 'name: expected a small letter and up to 39 letters, digits, - or _')
    const [known] = book.tries(name)
    if (known) return shown(known)
    const way = oneOf(
      body,
      'way',
      (Object.keys(rails) as Way[]).filter((way) => !railOf(way).incoming),
    )
    return shown(book.addPayment(name, way, amountOf(body, 'amount'), detailsOf(body, way), clock.now()))
  }

  /** A person has read why it was not paid, and corrected what was wrong. */
  async function payOutAgain(name: string, body: Fields) {
    const last = book.tries(name).at(-1)
    if (!last || railOf(last.way).incoming) throw new Refused(404, `there is no payout ${name}`)
    if (!['failed', 'refused', 'returned'].includes(last.state))
      throw new Refused(409, `${last.reference} is ${last.state}, so it must not be paid again`)
    const details = detailsOf({ ...last.details, ...body }, last.way)
    return shown(book.addPayment(name, last.way, last.amount, details, clock.now()))
  }

  /** Written down and answered; `work` looks into it. */
  function hear(reference: string, { headers, text }: Request): void {
    const { callbackSecret } = settings
    if (callbackSecret && !isSigned(headers, text, callbackSecret, wallClock.now()))
      throw new Refused(401, 'the signature is not right')
    if (!book.payment(reference)) throw new Refused(404, `there is no payment ${reference}`)
    book.hear(reference, text)
  }

  /** Somebody else keeps the time: it is so late now, and everything that comes round is done. */
  async function tick(body: Fields) {
    if (!clock.set) throw new Refused(404, 'this Mizigo has a clock of its own')
    clock.set(Date.parse(`${textOf(body, 'now').slice(0, 23)}Z`))
    await payments.work()
    await payments.reconcile()
    return { now: clock.now() }
  }

  function found<Thing>(thing: Thing | undefined, what: string): Thing {
    if (thing === undefined) throw new Refused(404, `there is no ${what}`)
    return thing
  }

  async function route(request: Request): Promise<[status: number, body: unknown]> {
    const [, place, name, action] = request.path.split('/')
    switch (`${request.method} ${place}${name ? '/…' : ''}${action ? `/${action}` : ''}`) {
      case 'POST callbacks/…':
        hear(name as string, request)
        return [200, { heard: true }]
      case 'POST deliveries':
        return [201, await order(fieldsOf(request))]
      case 'POST deliveries/…/pay':
        return [201, await pay(name as string, oneOf(fieldsOf(request), 'payBy', ['stk', 'checkout'] as const))]
      case 'GET deliveries/…':
        return [
          200,
          { ...found(book.delivery(name as string), 'such delivery'), payments: book.tries(name as string).map(shown) },
        ]
      case 'POST payouts':
        return [202, await payOut(fieldsOf(request))]
      case 'POST payouts/…/again':
        return [202, await payOutAgain(name as string, fieldsOf(request))]
      case 'GET payments/…':
        return [200, shown(found(book.payment(name as string), 'such payment'))]
      case 'POST tick':
        return [200, await tick(fieldsOf(request))]
      case 'GET books':
        return [200, booksOf(book, payments.strays)]
      case 'GET tasks':
        return [200, book.tasks()]
      default:
        throw new Refused(404, `there is no ${request.method} ${request.path}`)
    }
  }

  server.on('request', async (incoming: IncomingMessage, response: ServerResponse) => {
    try {
      const [status, body] = await route(await readRequest(incoming))
      answer(response, status, body)
    } catch (error) {
      // Whoever told us something tells us again after a 500.
      answer(response, error instanceof Refused ? error.status : 500, { error: (error as Error).message })
    }
  })

  return {
    url,
    book,
    work: () => payments.work(),
    reconcile: () => payments.reconcile(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      book.close()
    },
  }
}

interface Request {
  method: string
  path: string
  headers: IncomingMessage['headers']
  text: string
}

type Fields = Record<string, unknown>

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
  const text = Buffer.concat(parts).toString()
  return { method: incoming.method ?? 'GET', path: decodeURIComponent(pathname), headers: incoming.headers, text }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fieldsOf({ text }: Request): Fields {
  try {
    const body = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch {}
  throw new Refused(400, 'expected a JSON object')
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refused(400, `${name}: expected a text, got ${JSON.stringify(value)}`)
}

function oneOf<Word extends string>(fields: Fields, name: string, words: readonly Word[]): Word {
  const value = fields[name]
  const word = words.find((known) => known === value)
  if (word) return word
  throw new Refused(400, `${name}: expected one of ${words.join(', ')}, got ${JSON.stringify(value)}`)
}

/** Shillings, in cents. */
function amountOf(fields: Fields, name: string): number {
  const cents = Number(fields[name]) * 100
  if (
    typeof fields[name] === 'number' &&
    cents > 0 &&
    cents <= LARGEST_SHILLINGS * 100 &&
    Math.abs(cents - Math.round(cents)) < 1e-6
  )
    return Math.round(cents)
  throw new Refused(400, `${name}: expected shillings with at most two decimals, got ${JSON.stringify(fields[name])}`)
}

function detailsOf(fields: Fields, way: Way): Record<string, string> {
  return Object.fromEntries(railOf(way).needs.map((name) => [name, textOf(fields, name)]))
}

function shown({ reference, purpose, way, amount, state, requestId, pageUrl, note }: Payment) {
  return { reference, purpose, way, amount: amount / 100, state, requestId, pageUrl, note }
}
