/** A payment button: the buyer's browser calls the merchant back when the page says that it was paid. */
import { add, ask, hear, known, mended, round, save, serve } from '../../base/merchant.mjs'

function order({ order: reference, amount }) {
  if (!known(reference)) return ask(add({ kind: 'checkout', reference, amount }))
}

async function thanks(_body, reference) {
  const line = known(reference)
  if (!line) return
  // Mended: a browser proves nothing. The session is looked up.
  if (mended) return hear(line, {})
  if (line.state === 'PENDING') line.state = 'SUCCEEDED'
  save()
}

serve({ acts: { orders: order, thanks }, tick: () => round((line) => mended || line.state === 'PENDING') })
