/** A shop whose customers can try again once a payment has failed: the books know the last attempt alone. */
import { add, ask, book, mended, serve } from '../../base/merchant.mjs'

function order({ order: cart, phone, amount }) {
  if (!book.lines.some((line) => line.cart === cart)) return attempt({ cart, phone, amount }, 1)
}

const attempt = (wanted, nth) => ask(add({ kind: 'stk', ...wanted, nth, reference: `${wanted.cart}-${nth}` }))

async function retry() {
  for (const line of book.lines.filter(({ state, isTriedAgain }) => state === 'FAILED' && !isTriedAgain)) {
    line.isTriedAgain = true
    // Mended: each attempt stays in the books, and is looked at: a failure may turn out to be none.
    if (!mended) book.lines.splice(book.lines.indexOf(line), 1)
    const { cart, phone, amount } = line
    await attempt({ cart, phone, amount }, line.nth + 1)
  }
}

serve({ acts: { orders: order, retry } })
