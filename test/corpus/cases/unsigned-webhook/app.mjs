/** A shop whose webhook sets the status of an order, whoever calls it. */
import { add, ask, ended, hear, known, mended, paid, round, save, serve } from '../../base/merchant.mjs'

function order({ order: reference, phone, amount }) {
  if (!known(reference)) return ask(add({ kind: 'stk', reference, phone, amount }))
}

async function told(line, body) {
  if (!line) return
  // Mended: a webhook says that there is something to look at, and the service's record says what.
  if (mended) return hear(line, body)
  if (!ended(line)) line.state = body.status
  save()
}

serve({ acts: { orders: order }, told, tick: () => round((line) => mended || !paid(line)) })
