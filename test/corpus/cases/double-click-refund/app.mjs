/** Refunds by the manager of a food hub: a button, two workers behind it, and a manager who clicks twice. */
import { add, ask, call, inTurn, known, mended, round, serve } from '../../base/merchant.mjs'

/** Whether the hub's wallet can pay it is looked up first, as a page does that shows a form. */
const wallet = () => call('GET', `/api/sandbox/v1/send-money/all?companyId=${process.env.PAYMENTS_COMPANY}`)

async function refund({ order, phone, amount }) {
  if (known(order)) return
  await wallet().catch(() => {})
  await ask(add({ kind: 'send-money', reference: order, phone, amount }))
}

// Mended: refunds are worked on one after another, so the second click sees what the first one did.
const refunds = (body) => (mended ? inTurn(() => refund(body)) : refund(body))

serve({ acts: { refunds }, tick: () => round() })
