/** Refusals: what is declared can be thrown, and what is thrown is declared. */
import { expect, it } from 'vitest'
import { controlRefusals } from '../../src/core/model/control-refusals.ts'
import { commonReasons } from '../../src/core/model/refusal-reasons.ts'
import { serviceReasons } from '../../src/service/requests/service-reasons.ts'
import { controlDocument } from '../support/control-check.ts'
import { files, textOf } from './source.ts'

const lists = ['core/model/control-refusals.ts', 'core/model/refusal.ts', 'core/model/refusal-reasons.ts']
const source = files
  .filter((file) => !lists.includes(file))
  .map(textOf)
  .join('\n')
const declared = Object.values(controlDocument().paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ responses }) => Object.values(responses).flatMap((one) => one['x-codes'] ?? []))

it.each(Object.keys(controlRefusals))('names %s somewhere, and some operation declares it', (name) => {
  const { code = name } = controlRefusals[name as keyof typeof controlRefusals] as { code?: string }
  expect(source).toContain(`'${name}'`)
  expect(declared).toContain(code)
})

it('throws every reason of the service, or its code by a rule of a scenario', () => {
  const unthrown = Object.keys({ ...commonReasons, ...serviceReasons }).filter(
    (name) => !new RegExp(`(?:commonReasons|serviceReasons)\\.${name}\\b`).test(source),
  )
  expect(unthrown).toEqual([])
})
