/** Credits for a console: each webhook of a completed payment inserts a row and adds to the balance. */
import { add, ask, book, ended, hear, known, mended, round, save, serve, shown } from '../../base/merchant.mjs'

function buy({ order, phone, amount }) {
  if (!known(order)) return ask(add({ kind: 'stk', reference: order, phone, amount }))
}

async function told(line, body) {
  const before = line?.state
  await hear(line, body)
  if (line?.state !== 'SUCCESS') return
  // Mended: the payment's id is unique among the credits, however often the webhook comes.
  if (mended ? book.credits?.some(({ id }) => id === line.id) : before === undefined) return
  book.credits = [...(book.credits ?? []), { id: line.id, amount: line.amount }]
  save()
}

function books() {
  const credits = book.credits ?? []
  return book.lines
    .filter(({ state, id }) => state !== 'due' || id !== null)
    .flatMap((line) => {
      const own = credits.filter(({ id }) => id === line.id)
      return own.length === 0 ? [shown(line)] : own.map(({ amount }) => ({ ...shown(line), amount }))
    })
}

serve({ acts: { orders: buy }, told, tick: () => round((line) => mended || !ended(line)), books })
