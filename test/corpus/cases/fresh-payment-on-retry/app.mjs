/** A top-up: whoever gets no answer taps once more, and each tap is a payment of its own. */
import { add, ask, book, ended, known, mended, round, serve } from '../../base/merchant.mjs'

async function topUp({ order, phone, amount }) {
  if (known(`${order}-1`)) return
  await charge(order, phone, amount)
}

async function charge(order, phone, amount) {
  const tries = book.lines.filter((line) => line.order === order).length
  const line = add({ kind: 'stk', reference: `${order}-${tries + 1}`, order, phone, amount })
  await ask(line)
  // Mended: one key for one purchase, kept until its outcome is known. Silence is looked into by the next round.
  if (!mended && line.state === 'asked' && tries < 2) await charge(order, phone, amount)
}

serve({ acts: { orders: topUp }, tick: () => round((line) => mended || !ended(line)) })
