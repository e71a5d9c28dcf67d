/** Payouts of a pool: a payout whose request timed out is credited back to the balance, and so paid out again. */
import { add, ask, book, idIn, mended, request, round, save, serve } from '../../base/merchant.mjs'

function earn({ name, phone, amount }) {
  if (!book.lines.some((line) => line.order === name)) payOut(name, phone, amount)
}

function payOut(name, phone, amount) {
  const tries = book.lines.filter((line) => line.order === name).length
  return add({ kind: 'send-money', reference: `${name}-${tries + 1}`, order: name, phone, amount })
}

async function send(line) {
  // Mended: the payout stays locked until it was found, or surely is nowhere; it is sent again under its own reference.
  if (mended) return ask(line)
  line.state = 'asked'
  save()
  try {
    const answer = await request(line)
    if (answer.status < 300) Object.assign(line, { state: 'PENDING', id: idIn(answer) })
    else line.state = 'due'
  } catch {
    // "Will credit back following balances"
    line.state = 'FAILED'
    payOut(line.order, line.phone, line.amount)
  }
  save()
}

async function tick() {
  for (const line of [...book.lines]) if (line.state === 'due') await send(line)
  await round((line) => mended || line.state === 'PENDING')
}

serve({ acts: { pay: earn }, tick })
