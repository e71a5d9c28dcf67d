/** Refusals: what is declared can be thrown, and what is thrown is declared. */
import { expect, it } from 'vitest'
import { controlRefusals } from '../../src/core/model/control-refusals.ts'
import { refusalCatalogue } from '../../src/core/model/refusal.ts'
import { commonReasons } from '../../src/core/model/refusal-reasons.ts'
import { serviceReasons } from '../../src/service/requests/service-reasons.ts'
import { controlDocument } from '../support/control-check.ts'
import { files, lines, textOf } from './source.ts'

const lists = ['core/model/control-refusals.ts', 'core/model/refusal.ts', 'core/model/refusal-reasons.ts']
const source = files
  .filter((file) => !lists.includes(file))
  .map(textOf)
  .join('\n')
const isNamed = (code: string) => new RegExp(`'${code}'`).test(source)
const declared = Object.values(controlDocument().paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ responses }) => Object.values(responses).flatMap((one) => one['x-codes'] ?? []))

it.each(Object.keys(controlRefusals))('throws %s somewhere, and some operation declares it', (name) => {
  const { code = name } = controlRefusals[name as keyof typeof controlRefusals] as { code?: string }
  const thrown = new RegExp(
    `(?:new Refusal|super|refuse)\\(\\s*(?:\\w+ \\? )?(?:'\\w+' : )?'${name}'|code: '${name}'|\\? '${name}'`,
  )
  expect(thrown.test(source), `nothing throws ${name}`).toBe(true)
  expect(declared, `no operation declares ${name}`).toContain(code)
})

it('throws every reason of the service, or its code by a rule of a scenario', () => {
  const unthrown = Object.keys({ ...commonReasons, ...serviceReasons }).filter(
    (name) => !new RegExp(`(?:commonReasons|serviceReasons)\\.${name}\\b`).test(source),
  )
  expect(unthrown).toEqual([])
})

it('has no other refusals than those of the two lists', () => {
  const known = new Set([...Object.keys(controlRefusals), ...Object.keys(refusalCatalogue)])
  const thrown = Array.from(source.matchAll(/new Refusal\(\s*'(\w+)'/g), ([, code = '']) => code)
  expect(thrown.filter((code) => !known.has(code))).toEqual([])
  expect(lines(/new Refusal\([^'\n]*\bstatus\b/)).toEqual([])
  expect([...known].filter((code) => !isNamed(code) && code in controlRefusals)).toEqual([])
})
