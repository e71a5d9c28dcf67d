/** Expenses that are paid out: both the webhook and an hourly job settle them, and each writes a transaction. */
import {
  add,
  ask,
  book,
  hear,
  known,
  look,
  mended,
  paid,
  record,
  round,
  save,
  serve,
  shown,
} from '../../base/merchant.mjs'

function approve({ name, account, amount }) {
  if (!known(name)) return ask(add({ kind: 'bank-payout', reference: name, account, amount }))
}

/** Both ways lead here, and may be here at the same time. */
async function settle(line) {
  if (line.settled) return
  const found = await record(line)
  if (found?.status !== 'SUCCESS') return void (await look(line))
  // Mended: who writes the transaction looks once more whether it is there, with nothing between the look and the write.
  if (mended && line.settled) return
  Object.assign(line, { settled: true, state: found.status, id: found.uuid })
  book.transactions = [...(book.transactions ?? []), line.reference]
  save()
}

async function told(line, body) {
  if (!line) return
  if (line.id === null) await hear(line, body)
  else await settle(line)
}

async function tick() {
  await round((line) => line.settled && mended)
  for (const line of book.lines) if (!line.settled && line.id) await settle(line)
}

function books() {
  const written = book.transactions ?? []
  return book.lines
    .filter(({ state, id }) => state !== 'due' || id !== null)
    .flatMap((line) => {
      const own = paid(line) ? written.filter((reference) => reference === line.reference) : []
      return own.length < 2 ? [shown(line)] : own.map(() => shown(line))
    })
}

serve({ acts: { pay: approve }, told, tick, books })
