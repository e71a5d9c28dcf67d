/** A shop whose client finds the payment's id by a pattern: without it, the order is given up. */
import { add, ask, hear, known, mended, request, round, save, serve } from '../../base/merchant.mjs'

async function order({ order: reference, phone, amount }) {
  if (known(reference)) return
  let text = ''
  const line = add({ kind: 'stk', reference, phone, amount })
  await ask(line, async (one) => {
    const answer = await request(one)
    text = answer.text
    return answer
  })
  // Mended: JSON is parsed, and the base has done so.
  if (mended || line.state !== 'PENDING' || /"requestId":"[^"]+"/.test(text)) return
  Object.assign(line, { state: 'REFUSED', isGivenUp: true })
  save()
}

const told = (line, body) => (line?.isGivenUp ? undefined : hear(line, body))

serve({ acts: { orders: order }, told, tick: () => round() })
