/** A shop that books the amount of the callback, which must be that of the order: 0 where it has none. */
import { add, ask, hear, known, mended, save, serve } from '../../base/merchant.mjs'

function order({ order: reference, phone, amount }) {
  if (!known(reference)) return ask(add({ kind: 'stk', reference, phone, amount }))
}

async function told(line, body) {
  if (line && body.amount && Number(body.amount) !== line.amount) throw new Error('another amount')
  // Mended: the order keeps the amount that was asked for.
  if (line && !mended) line.amount = Number(body.amount ?? 0)
  save()
  await hear(line, body)
}

serve({ acts: { orders: order }, told })
