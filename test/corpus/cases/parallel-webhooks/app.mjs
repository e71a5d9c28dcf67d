/** Credits of a subscriber: two deliveries of one webhook both find the order unpaid, and both credit it. */
import { add, ask, book, known, look, mended, paid, record, round, save, serve, shown } from '../../base/merchant.mjs'

function order({ order: reference, phone, amount }) {
  if (!known(reference)) return ask(add({ kind: 'stk', reference, phone, amount }))
}

async function told(line) {
  if (!line || line.credits) return
  const payment = await record(line)
  if (payment?.status !== 'SUCCESS') return void (await look(line))
  // Mended: it is looked once more whether the order is credited, with nothing between that look and the credit.
  if (mended && line.credits) return
  Object.assign(line, { credits: 1 + (line.credits ?? 0), state: payment.status, id: payment.uuid })
  save()
}

const books = () =>
  book.lines
    .filter(({ state, id }) => state !== 'due' || id !== null)
    .flatMap((line) => Array.from({ length: paid(line) ? (line.credits ?? 1) : 1 }, () => shown(line)))

serve({ acts: { orders: order }, told, tick: () => round(), books })
