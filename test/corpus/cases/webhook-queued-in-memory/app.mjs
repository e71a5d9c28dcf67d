/** Wallet credits: webhooks are acknowledged, put into a job queue in memory, and worked on by the next job. */
import { add, ask, book, ended, known, look, mended, round, save, serve } from '../../base/merchant.mjs'

const jobs = []

function buy({ order, phone, amount }) {
  if (!known(order)) return ask(add({ kind: 'stk', reference: order, phone, amount }))
}

function told(line) {
  if (!line) return
  // Mended: what came in is stored before it is acknowledged.
  if (mended) book.inbound = [...new Set([...(book.inbound ?? []), line.reference])]
  else jobs.push(line.reference)
  line.heard = true
  save()
}

async function tick() {
  const inbound = mended ? (book.inbound ?? []) : jobs.splice(0)
  for (const reference of inbound) {
    const found = await look(known(reference))
    if (mended && found !== undefined) book.inbound = book.inbound.filter((one) => one !== reference)
  }
  // What nobody told about is polled.
  await round((line) => mended || (!line.heard && !ended(line)))
}

serve({ acts: { orders: buy }, told, tick, forget: () => jobs.splice(0) })
