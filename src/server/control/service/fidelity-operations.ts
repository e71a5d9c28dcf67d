/** Operation that says how each behaviour is known: specified, published, or assumed. */

import { meaningsIn } from '../../../core/model/assumption.ts'
import { asMeasured, isStale } from '../../../core/model/basis.ts'
import { must } from '../../../core/model/must.ts'
import { constraintsOf } from '../../../http/contract.ts'
import { paymentsService } from '../../../service/service.ts'
import { controlOperation } from '../declared-operation.ts'
import { readFidelityAnswer } from './service-answers.ts'

const readFidelity = controlOperation('fidelity.show', {
  method: 'GET',
  path: '/fidelity',
  summary: 'List the basis of each behaviour, with alternatives',
  answer: readFidelityAnswer,
  run(c) {
    const { scenario } = c.env.world.core
    const { assumptions, chosenBy, measured } = scenario
    const wallUs = c.env.world.host.wallUs()
    const measurements = { measured, wallUs }
    return {
      bases: {
        specified: 'The service interface document shows it.',
        published: "The provider's published reference shows it.",
        measured: 'The service showed it at its sandbox, when mfano calibrate asked.',
        own: 'Of mfano or of HTTP itself: it says nothing about the service.',
        assumed: 'Neither shows it: the least surprising alternative, changeable by a scenario.',
      },
      severs: c.env.sever !== undefined,
      operations: paymentsService.operations.map((operation) => ({
        operation: operation.id,
        method: operation.method.toUpperCase(),
        path: operation.path,
        basis: operation.basis,
        source: operation.source,
        on: operation.only ? assumptions[operation.only.assumption] === operation.only.is : true,
      })),
      constraints: constraintsOf(
        asMeasured(
          paymentsService.contract({ baseUrl: c.env.baseUrl, version: c.env.version, assumptions }),
          measurements,
        ),
      ),
      facts: asMeasured(paymentsService.facts, measurements),
      assumptions: Object.entries(paymentsService.assumptions).map(([id, one]) => {
        const { question, alternatives, note, area, touches } = one
        return {
          id,
          question,
          default: alternatives[0],
          alternatives,
          inForce: must(assumptions[id]),
          chosenBy: must(chosenBy[id]),
          measured: measuredOn(measured[id], wallUs),
          note,
          ...meaningsIn(one),
          area,
          touches,
          setting: `assumptions: { ${id}: … }`,
        }
      }),
    }
  },
})

export const fidelityOperations = [readFidelity] as const

function measuredOn(on: string | undefined, wallUs: number) {
  return on === undefined ? null : { on, isStale: isStale(on, wallUs) }
}
