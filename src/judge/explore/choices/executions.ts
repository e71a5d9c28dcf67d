/** How often the service executes a request for a payment. */
import { aboutPayment, choiceRecord } from './choice-record.ts'
import { kindSchema, nthSchema } from './choice-schemas.ts'

export const twiceChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema },
  slot: ({ kind, nth }) => `${kind} ${nth}`,
  sort: () => '',
  risk: () => 'repeats',
  story: ({ kind, nth }) => `${kind} ${nth}: the service executes the one request twice`,
  met: ({ kind, nth }, { payments }) => payments.has(`${kind} ${nth}`),
  about: aboutPayment,
  offers: { forPayment: ({ kind, nth }) => [{ kind, nth }] },
  effects: { plan: (_, planned) => ({ ...planned, twice: true }) },
})
