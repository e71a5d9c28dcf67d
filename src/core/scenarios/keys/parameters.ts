// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.

import * as z from 'zod'
import type { GivenParameters, ParameterValue } from '../../model/assumption.ts'
import { isRecord } from '../../model/must.ts'
import {
  described,
  didYouMean,
  optional,
  type Path,
  type Problem,
  quote,
  type SourcePlace,
} from '../../model/problems.ts'
import type { SourceText } from '../../source-text.ts'
import { shortText } from './schema-parts.ts'

export interface Parameter {
  name: string
  value: ParameterValue
  default: ParameterValue
  description: string | undefined
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/
const LONGEST_VALUE = 1000
const MOST_USES = 10_000
const USE = /\$(\$?)\{([^{}\n]{0,60})\}/g
const WHOLE = /^\$\{([^{}\n]{0,60})\}$/
/** In JSON Schema, so that editors accept it for any value. */
export const parameterUse = {
  type: 'string',
  pattern: '\\$\\{[A-Za-z][A-Za-z0-9_-]{0,39}\\}',
  description: 'the value of a parameter, such as ${limit}',
}

const value = z.union([z.string().max(LONGEST_VALUE), z.number(), z.boolean()])
export const parameters = z
  .record(
    z.string().regex(NAME),
    z
      .strictObject({
        default: described(
          value,
          'the default: a number, a text, true or false; --set takes a value of the same type',
          1000,
          '30s',
          true,
        ),
        description: optional(shortText(), 'a sentence about the parameter'),
      })
      .meta({ description: 'a parameter: default, and perhaps description', examples: [{ default: 1000 }] }),
  )
  .meta({
    description:
      'values that --set can change; write ${name} in a text or as a value; a parameter of the extended scenario can have another default here',
    examples: [{ limit: { default: 1000, description: 'the largest payout' } }],
  })

export class Parameters {
  readonly #given: GivenParameters
  readonly #known = new Map<string, Parameter>()
  readonly #places = new Map<string, SourcePlace>()
  readonly #used = new Set<string>()
  readonly #misdeclared = new Set<string>()
  #uses = 0

  constructor(given: GivenParameters = {}) {
    this.#given = given
  }

  fill(source: SourceText): void {
    const { value: file } = source
    if (!isRecord(file)) return
    const written = isRecord(file['parameters']) ? file['parameters'] : {}
    for (const name of Object.keys(written)) {
      const { data } = parameters.safeParse({ [name]: written[name] })
      if (data?.[name]) this.#declare(name, data[name], source)
      else this.#misdeclared.add(name)
    }
    if (!source.text.includes('${')) return
    const filled = (key: string, one: unknown) => (key === 'parameters' ? one : this.#fillIn(one, [key], source))
    source.value = Object.fromEntries(Object.entries(file).map(([key, one]) => [key, filled(key, one)]))
  }

  unknown(file: string): Problem[] {
    return Object.keys(this.#given)
      .filter((name) => !this.#known.has(name))
      .map((name) => ({ file, line: 1, column: 1, path: 'parameters', message: this.#explain(name) }))
  }

  unused(file: string): Problem[] {
    return [...this.#places]
      .filter(([name, place]) => place.file === file && !this.#used.has(name))
      .map(([name, place]) => ({
        ...place,
        message: `Nothing uses the parameter ${quote(name)}. Write \${${name}} where its value belongs, or remove it.`,
      }))
  }

  list(): Parameter[] {
    return [...this.#known.values()]
  }

  #declare(
    name: string,
    declared: { default: ParameterValue; description?: string | undefined },
    source: SourceText,
  ): void {
    if (this.#known.has(name)) return
    const at = ['parameters', name]
    this.#places.set(name, { ...source.placeOf(at), ...source.position(source.keyOffsetOf(at)) })
    const usual = declared.default
    const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined
    const value = given === undefined ? usual : fit(given, usual)
    if (value === undefined) {
      const kind = typeof usual === 'number' ? 'a number' : 'true or false'
      source.tell(`${quote(String(given))} was given for it. Expected ${kind}, such as its default ${usual}.`, at)
    }
    this.#known.set(name, { name, value: value ?? usual, default: usual, description: declared.description })
  }

  #fillIn(value: unknown, path: Path, source: SourceText): unknown {
    if (typeof value === 'string') return value.includes('${') ? this.#replace(value, path, source) : value
    if (Array.isArray(value)) return value.map((one, i) => this.#fillIn(one, [...path, i], source))
    if (!isRecord(value)) return value
    const filled = Object.entries(value).map(([name, one]) => [name, this.#fillIn(one, [...path, name], source)])
    return Object.fromEntries(filled)
  }

  #replace(written: string, path: Path, source: SourceText): ParameterValue {
    const [, whole] = WHOLE.exec(written) ?? []
    if (whole !== undefined) return this.#valueOf(whole, 0, path, source) ?? written
    const moved: { at: number; by: number }[] = []
    let shift = 0
    const filled = written.replace(USE, (use, dollar: string, name: string, at: number) => {
      const put = dollar === '' ? String(this.#valueOf(name, at, path, source) ?? use) : use.slice(1)
      shift += put.length - use.length
      moved.push({ at: at + use.length + shift, by: shift })
      return put
    })
    source.noteFilled(path, (index) => index - (moved.findLast(({ at }) => at <= index)?.by ?? 0))
    return filled
  }

  #valueOf(name: string, at: number, path: Path, source: SourceText): ParameterValue | undefined {
    const known = this.#known.get(name)
    if (++this.#uses === MOST_USES + 1)
      source.tell(`Parameters are used more than ${MOST_USES} times. Write the values out.`, path, at)
    if (this.#uses > MOST_USES) return undefined
    this.#used.add(name)
    if (!known && !this.#misdeclared.has(name))
      source.tell(`${this.#explain(name)} For the signs themselves, write $\${${name}}.`, path, at)
    return known?.value
  }

  #explain(name: string): string {
    const known = [...this.#known.keys()]
    if (known.length === 0)
      return `There is no parameter ${quote(name)}: no parameters are declared. Add parameters: { ${NAME.test(name) ? name : 'limit'}: { default: 1000 } }.`
    return `There is no parameter ${quote(name)}. Known: ${known.join(', ')}.${didYouMean(name, known)}`
  }
}

function fit(given: ParameterValue, usual: ParameterValue): ParameterValue | undefined {
  if (typeof usual === 'string') return String(given).slice(0, LONGEST_VALUE)
  if (typeof given === typeof usual) return given
  if (typeof usual === 'number') {
    const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN
    return Number.isFinite(number) ? number : undefined
  }
  return given === 'true' ? true : given === 'false' ? false : undefined
}
