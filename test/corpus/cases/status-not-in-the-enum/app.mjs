/** Events by webhook, read strictly: a status that the list lacks cannot be read, and neither can what came with it. */
import { add, ask, book, hear, known, look, mended, round, save, serve } from '../../base/merchant.mjs'

const STATUSES = ['PENDING', 'SUCCESS', 'FAILED']

function order({ order: reference, phone, amount }) {
  if (!known(reference)) return ask(add({ kind: 'stk', reference, phone, amount }))
}

function parse(body) {
  if (!STATUSES.includes(body.status)) throw new Error(`cannot deserialize status ${body.status}`)
  return body
}

async function told(line, body) {
  if (!line) return
  // Mended: a status that nobody knows is a reason to look, too.
  if (mended) return hear(line, body)
  book.events = [...(book.events ?? []), { ...body, reference: line.reference }]
  line.heard = true
  save()
}

async function tick() {
  for (const event of book.events ?? []) {
    if ((await look(known(parse(event).reference))) === undefined) continue
    book.events = book.events.filter((one) => one !== event)
    save()
  }
  // What no event came for is polled.
  await round((line) => mended || !line.heard)
}

serve({ acts: { orders: order }, told, tick })
