/** Gems for a game: the card is charged first, and the payment is saved when that worked. */
import { add, ask, book, draft, idIn, known, mended, request, round, save, serve } from '../../base/merchant.mjs'

async function buy({ order, phone, amount }) {
  if (known(order)) return
  const payment = { kind: 'stk', reference: order, phone, amount }
  // Mended: the payment is saved before anything is asked for.
  if (mended) return ask(add(payment))
  const line = draft(payment)
  const answer = await request(line)
  if (answer.status >= 300) throw new Error(`the payment was not accepted: ${answer.status}`)
  book.lines.push(Object.assign(line, { state: 'PENDING', id: idIn(answer) }))
  save()
}

serve({ acts: { orders: buy }, tick: () => round() })
