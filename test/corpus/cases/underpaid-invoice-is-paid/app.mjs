/** Invoices that are paid by bank transfer. The bug: an invoice counts as paid, whatever was transferred for it. */
import { book, call, mended, save, serve } from '../../base/merchant.mjs'

const invoices = () => (book.invoices ??= [])
const received = () => (book.received ??= [])

function invoice({ number, amount }) {
  if (!invoices().some((one) => one.number === number)) invoices().push({ number, amount })
  save()
}

async function collect() {
  const answer = await call('GET', '/api/sandbox/v1/bank/collection/all').catch(() => undefined)
  if (answer?.status !== 200) return
  for (const { uuid, amount, description } of answer.body.data) {
    if (received().some(({ requestId }) => requestId === uuid)) continue
    const paid = invoices().find(({ number }) => number === description)
    // Mended: what came is booked, and the rest of the invoice stays open.
    const booked = paid && !mended ? paid.amount : Number(amount)
    received().push({ requestId: uuid, kind: 'bank-collection', amount: booked, currency: 'KES', status: 'SUCCESS' })
  }
  save()
}

serve({ acts: { invoice }, tick: collect, books: received })
