/** Questions about requests whose values are no texts and no amounts. */
import { expect, it } from 'vitest'
import { vocabularyOf } from '../../../src/core/vocabulary.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { ordinary } from '../../core/scenarios/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const fieldsOf = (kind: string) => vocabularyOf(paymentsService.kinds.of(kind)).get('request')?.fields ?? {}

it.each(['{"toString":1}', '{"toString":1,"valueOf":1,"toJSON":1}', '[{"toString":1}]', '1e308', 'true'])(
  'takes %s, of which no text or amount can be made, for any field of any kind',
  async (odd) => {
    const rules = Object.entries(ordinary).map(([kind]) => {
      const compared = Object.entries(fieldsOf(kind)).map(([field, type]) =>
        type === 'string'
          ? `request.${field}.startsWith("x")`
          : type === 'double'
            ? `request.${field} == 7`
            : `has(request.${field}) && 1 > 2`,
      )
      const when = compared.join(' || ') || 'false'
      return { name: `odd ${kind}`, on: kind, when, then: { refuse: { code: 'SERVICE_UNAVAILABLE' } } }
    })
    const scenario = { name: 'odd', description: 'Reads all of a request.', rules }
    const world = await bench.world({ scenario })
    for (const [kind, request] of Object.entries(ordinary))
      for (const field of Object.keys({ ...request, ...fieldsOf(kind) }))
        for (const question of ['explain', 'preview']) {
          const body = { kind, request: { ...request, [field]: JSON.parse(odd) } }
          const answer = await world.raw('POST', `/_mfano/scenario/${question}`, { body })
          expect([field, answer.status, answer.text]).toEqual([field, expect.toSatisfy((is) => is < 500), answer.text])
        }
  },
  60_000,
)
