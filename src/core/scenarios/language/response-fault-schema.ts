/** Schema of `faults`: faults of HTTP answers, for any operation. */
import * as z from 'zod'
import { checked } from '../../model/problems.ts'
import { responseFaultShape } from '../../model/response-fault-records.ts'
import type { Service } from '../../model/simulated-service.ts'
import { checkResponseFault } from '../../response-faults.ts'
import { shortText } from './schema-parts.ts'
import { faultSelectorOf } from './selector-schema.ts'

const target = () => shortText(120)

const then = () =>
  z.strictObject(responseFaultShape).meta({
    description: 'the fault of the answer',
    examples: [{ status: 503 }, { reset: true }, { latency: '2s' }],
  })

const fault = ({ operations }: Service) =>
  checked(
    z.strictObject({
      ...faultSelectorOf(['organisation']),
      on: z.union([target(), z.array(target()).min(1).max(100)]).meta({
        description: 'an operation by method and path or by its id, a list of them, or * for all',
        examples: ['POST /api/sandbox/v1/send-money', 'getToken', '*'],
      }),
      when: shortText(4000)
        .optional()
        .meta({
          description: 'a condition in CEL over request (its path, query and body), headers, organisation, now and nth',
          examples: ['request.amount > 10000', 'now.getHours() < 6'],
        }),
      after: z.literal(true).optional().meta({ description: 'true: the request is executed before the fault' }),
      then: then(),
    }),
    (file, tell) => checkResponseFault(file, tell, operations),
  ).meta({ description: 'a fault of answers' })

export const faults = (service: Service) =>
  z
    .array(fault(service))
    .max(1000)
    .meta({
      description: 'faults of answers; the first match applies; those of the extended scenario come after these',
      examples: [[{ on: 'POST /api/sandbox/v1/send-money', chance: 0.01, then: { status: 503 } }]],
    })

export type ResponseFaultRuleFile = z.infer<ReturnType<typeof fault>>
