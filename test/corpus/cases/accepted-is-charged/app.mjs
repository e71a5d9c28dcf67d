/** A payment switch: a status that means "handed on for settlement" is mapped to "charged". */
import { add, ask, known, mended, round, save, serve } from '../../base/merchant.mjs'

async function pay({ name, phone, amount }) {
  if (known(name)) return
  const line = add({ kind: 'send-money', reference: name, phone, amount })
  await ask(line)
  // Mended: what was accepted is pending, until the record says how it ended.
  if (!mended && line.state === 'PENDING') line.state = 'SUCCESS'
  save()
}

serve({ acts: { pay }, tick: () => round((line) => mended || line.state === 'PENDING') })
