/** A till at a counter that polls: an answer that decides nothing ends the polling all the same. */
import { add, ask, book, hear, known, look, mended, record, round, save, serve } from '../../base/merchant.mjs'

function sell({ order, phone, amount }) {
  if (!known(order)) return ask(add({ kind: 'stk', reference: order, phone, amount }))
}

async function poll(line) {
  // Mended: polling goes on until an answer has decided.
  if (mended) return look(line)
  const answer = await record(line)
  if (answer?.status !== 'PENDING') line.polling = 'stopped'
  if (answer?.uuid) Object.assign(line, { state: answer.status, id: answer.uuid })
  save()
}

async function told(line, body) {
  if (mended) await hear(line, body)
}

async function tick() {
  await round((line) => mended || (line.id === null && line.state === 'PENDING'))
  if (!mended) for (const line of book.lines) if (line.id && line.polling !== 'stopped') await poll(line)
}

serve({ acts: { orders: sell }, told, tick })
