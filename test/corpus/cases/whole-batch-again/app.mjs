/** Payments in batches: where a part of a batch fails, all of it is started anew. */
import { add, ask, book, ended, mended, round, save, serve } from '../../base/merchant.mjs'

async function batches({ batch, phones, amount }) {
  if (book.lines.some((line) => line.batch === batch)) return
  await start(batch, phones, amount, 1)
}

async function start(batch, phones, amount, attempt) {
  const lines = phones.map((phone, i) =>
    add({ kind: 'send-money', reference: `${batch}-${i}-${attempt}`, order: `${batch}-${i}`, batch, phone, amount }),
  )
  for (const line of lines) {
    // Mended: each payment keeps its own state; the next round takes up those that are open, and no other.
    if (mended && line.state !== 'due') continue
    await ask(line)
    if (mended || line.state === 'PENDING' || ended(line)) continue
    for (const rest of lines.filter(({ state }) => state === 'due')) book.lines.splice(book.lines.indexOf(rest), 1)
    save()
    if (attempt < 3) await start(batch, phones, amount, attempt + 1)
    return
  }
}

serve({ acts: { batches }, tick: () => round() })
