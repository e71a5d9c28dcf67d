/** Takes wages in, and shows the books. It never asks the service for anything: the worker does. */
import { bug, db, serve, strays, wages } from './book.mjs'

// The mistake: what a dead worker had taken is found only when the web process is started, too.
if (bug === 'web-recovers') db.exec("UPDATE wage SET state = 'unsure' WHERE state = 'taken'")

const told = { queued: 'PENDING', taken: 'PENDING', unsure: 'PENDING' }

serve((asked, body) => {
  if (asked === 'POST /wages')
    db.prepare("INSERT OR IGNORE INTO wage VALUES (?, ?, ?, 'queued', NULL, 0)").run(body.name, body.phone, body.amount)
  else if (asked === 'GET /books')
    return [...wages(), ...strays()]
      .filter(({ state }) => state !== 'queued')
      .map(({ reference, id, amount, state }) => ({
        reference,
        requestId: id,
        kind: 'send-money',
        amount,
        currency: 'KES',
        status: told[state] ?? state,
      }))
  // A callback is no more than a reason to look, and the worker looks soon enough.
})
