import { expect } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import type { Answer } from './harness.ts'

/** Expects that an answer is what the contract says of an operation, field by field, and gives its body. */
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
export function asContracted(operationId: string, answer: Answer): any {
  const operation = paymentsService.operations.find(({ id }) => id === operationId)
  if (!operation) throw new Error(`There is no operation "${operationId}"`)
  expect(answer.status, answer.text).toBe(operation.answer.status)
  const checked = operation.answer.schema.safeParse(answer.body)
  expect(checked.error?.issues ?? [], answer.text).toEqual([])
  return answer.body
}

/** A scenario that differs from the default one in some assumptions. */
export function assuming(assumptions: Record<string, string>) {
  return {
    scenario: {
      name: 'assuming',
      description: 'The default world with other assumptions.',
      extends: 'default',
      assumptions,
    },
  }
}

/** The keys of an object in the order in which they came over the wire. */
export function keysOf(value: object): string {
  return Object.keys(value).join(' ')
}
