/** Refunds by the manager of a food hub: a button, two workers behind it, and a manager who clicks twice. */
import { add, ask, inTurn, known, mended, round, serve } from '../../base/merchant.mjs'

/** As long as a database takes that has much to do. */
const moment = () => new Promise((resolve) => setTimeout(resolve, 400))

async function refund({ order, phone, amount }) {
  if (known(order)) return
  await moment()
  await ask(add({ kind: 'send-money', reference: order, phone, amount }))
}

// Mended: refunds are worked on one after another, so the second click sees what the first one did.
const refunds = (body) => (mended ? inTurn(() => refund(body)) : refund(body))

serve({ acts: { refunds }, tick: () => round() })
