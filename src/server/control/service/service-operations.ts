/** Operations that list kinds of payment and their lifecycles. */
import * as z from 'zod'
import { faultTarget } from '../../../core/response-faults.ts'
import { paymentsService } from '../../../service/service.ts'
import { controlOperation } from '../declared-operation.ts'

const listKinds = controlOperation('kind.list', {
  method: 'GET',
  path: '/kinds',
  summary: 'List kinds of payment and the requests that start them',
  answer: () =>
    z.object({
      kinds: z.array(
        z.object({
          kind: z.string(),
          phrase: z.string(),
          ends: z.array(z.string()),
          operation: z
            .string()
            .nullable()
            .describe('What begins one, and a request that does; null for what no merchant asks for.'),
          example: z.record(z.string(), z.unknown()).nullable(),
        }),
      ),
    }),
  run(c) {
    const { baseUrl } = c.env
    return {
      kinds: [...paymentsService.kinds].map(({ name, phrase, ends }) => {
        const opening = paymentsService.operations.find(({ opens }) => opens === name)
        return {
          kind: name,
          phrase,
          ends,
          operation: opening ? faultTarget(opening) : null,
          example: opening?.example?.(baseUrl) ?? null,
        }
      }),
    }
  },
})

const listMachines = controlOperation('machine.list', {
  method: 'GET',
  path: '/machines',
  summary: 'List states and transitions of each kind',
  answer: () =>
    z.record(
      z.string(),
      z.object({
        initial: z.string().optional(),
        states: z.record(
          z.string(),
          z.object({
            final: z.boolean(),
            transitions: z.array(z.object({ on: z.string(), to: z.string(), does: z.array(z.string()) })),
          }),
        ),
      }),
    ),
  run: (_c) =>
    Object.fromEntries(
      [...paymentsService.kinds].map(({ name, machine }) => [
        name,
        {
          initial: machine.root.initial.target[0]?.key,
          states: Object.fromEntries(
            Object.values(machine.states).map((state) => [
              state.key,
              {
                final: state.ownEvents.length === 0,
                transitions: [...state.transitions.entries()].flatMap(([event, transitions]) =>
                  transitions.map((transition) => ({
                    on: event.startsWith('xstate.after.') ? `after ${event.split('.')[2]}` : event,
                    to: transition.target?.[0]?.key ?? state.key,
                    does: transition.actions.filter((action) => typeof action === 'string'),
                  })),
                ),
              },
            ]),
          ),
        },
      ]),
    ),
})

export const serviceOperations = [listKinds, listMachines] as const
