/** The compiler asks for each part of a record: `npm run lint` checks this file. */
import { expect, expectTypeOf, it } from 'vitest'
import type { CallbackFaultRecord } from '../../src/core/model/callback-fault.ts'
import { Refusal } from '../../src/core/model/refusal.ts'
import type { TellingRecord } from '../../src/judge/explore/choices/tellings.ts'
import { controlOperation } from '../../src/server/control/declared-operation.ts'
import type { AssumptionId } from '../../src/service/assumptions/assumptions.ts'
import type { AllProbes } from '../../src/service/probe.ts'

it('takes no record that leaves a part out', () => {
  expectTypeOf<keyof AllProbes>().toEqualTypeOf<AssumptionId>()
  // @ts-expect-error it has neither a schema nor what it does
  const fault: CallbackFaultRecord = { refusable: true }
  // @ts-expect-error it has neither a callback nor a stranger
  const telling: TellingRecord = { words: 'x', risk: 'order' }
  expect([fault, telling]).toHaveLength(2)
  // @ts-expect-error there is no such code
  expect(new Refusal('NO_SUCH_CODE', 'x').code).toBe('NO_SUCH_CODE')
  // @ts-expect-error a summary is asked for
  expect(controlOperation('wallet.fund', 'GET /x', { run: () => new Response() }).path).toBe('/x')
})
