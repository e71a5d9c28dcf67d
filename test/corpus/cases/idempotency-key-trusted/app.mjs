/** Payouts that are sent again at once where nobody answers: the key makes sure that it is one payment, it is thought. */
import { add, ask, known, mended, request, serve } from '../../base/merchant.mjs'

function pay({ name: reference, phone, amount }) {
  if (known(reference)) return
  // Mended: a payment that nobody answered for is looked up before it is sent again.
  return ask(add({ kind: 'send-money', reference, phone, amount }), mended ? request : insist)
}

async function insist(line) {
  const send = () => request(line, { 'idempotency-key': line.reference })
  return send().catch(send)
}

serve({ acts: { pay } })
