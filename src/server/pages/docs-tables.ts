/** Renders schemas as tables for the contract page. */

import { html } from 'hono/html'
import type { Basis } from '../../core/model/basis.ts'
import { must } from '../../core/model/must.ts'
import type { ContractParameter } from '../../http/contract.ts'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'
import type { Html } from './page.ts'

export function badge(basis: Basis | 'own' | undefined, source?: string): Html {
  const known = basis ?? 'assumed'
  return html`<span class="badge ${known}"${source !== undefined && html` title="${source}"`}>${known}</span>`
}

/** Records that many answers share are shown once, below, and linked. */
export class SchemaTables {
  readonly #components: Record<string, JsonSchema>
  readonly #shared = new Set<string>()

  constructor(components: Record<string, JsonSchema>) {
    this.#components = components
  }

  parameters(parameters: ContractParameter[]): Html {
    return table(
      parameters.map(({ name, in: place, required, description, schema, 'x-basis': basis }) =>
        row(name, this.#type(schema), schema, required, basis, `${description ?? ''} In the ${place}.`),
      ),
    )
  }

  fields(schema: JsonSchema): Html {
    const rows = this.#rows(schema, '', 0)
    if (rows.length > 0) return table(rows)
    return html`<p>${this.#type(resolved(schema, this.#components))}</p>`
  }

  /** Shared records link others, so this repeats until none is new. */
  sharedSection(): Html | false {
    if (this.#shared.size === 0) return false
    const parts: Html[] = []
    for (const id of this.#shared) {
      const schema = must(this.#components[id])
      parts.push(html`<article class="operation" id="record-${id}">
<h3>${id} ${badge(schema['x-basis'])}</h3>
${table(this.#rows(schema, '', 0))}
</article>`)
    }
    return html`<section id="records" aria-labelledby="records-title"><h2 id="records-title">Shared records</h2>${parts}</section>`
  }

  #rows(schema: JsonSchema, prefix: string, depth: number): Html[] {
    const it = resolved(schema, this.#components)
    if (it.items !== undefined) return this.#rows(it.items, `${prefix.replace(/\.$/, '')}[].`, depth)
    return Object.entries(it.properties ?? {}).flatMap(([key, field]) => {
      const own = resolved(field, this.#components)
      const required = it.required?.includes(key) ?? false
      const shown = row(
        `${prefix}${key}`,
        this.#type(field, depth),
        own,
        required,
        own['x-basis'],
        own.description ?? '',
      )
      const open = shareable(field) === undefined || depth < 1
      return open && (own.properties ?? own.items?.properties ?? own.items?.$ref)
        ? [shown, ...this.#rows(field, `${prefix}${key}.`, depth + 1)]
        : [shown]
    })
  }

  #type(field: JsonSchema, depth = 0): Html | string {
    const id = shareable(field)
    if (id !== undefined && (depth >= 1 || field.anyOf)) {
      this.#shared.add(id)
      const orNull = field.anyOf?.some(({ type }) => type === 'null') ? ' or null' : ''
      return html`<a href="#record-${id}">${id}</a>${orNull}`
    }
    const { type, items, anyOf, const: only, enum: words } = resolved(field, this.#components)
    if (only !== undefined) return html`${type}, always <code>${JSON.stringify(only)}</code>`
    if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' or ')
    if (items !== undefined) {
      const { type: of = 'object', enum: itemWords } = resolved(items, this.#components)
      return `array of ${itemWords ? itemWords.map((word) => JSON.stringify(word)).join(' or ') : `${of}s`}`
    }
    if (anyOf !== undefined) return anyOf.map((one) => resolved(one, this.#components).type ?? 'object').join(' or ')
    return [type ?? 'any'].flat().join(' or ')
  }
}

function shareable({ $ref, anyOf, items }: JsonSchema): string | undefined {
  const ref = $ref ?? anyOf?.find((one) => one.$ref !== undefined)?.$ref ?? items?.$ref
  return ref?.slice(ref.lastIndexOf('/') + 1)
}

function table(rows: Html[]): Html {
  return html`<table class="fields">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Required</th><th scope="col">Basis</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

function row(
  name: string,
  type: Html | string,
  schema: JsonSchema,
  required: boolean,
  basis: Basis | undefined,
  meaning: string,
): Html {
  const limits = limitsOf(schema)
  return html`<tr><td><code>${name}</code></td><td>${type}${limits !== '' && html`<span class="limits">${limits}</span>`}</td><td class="need" data-label="Required">${required ? 'yes' : 'no'}</td><td>${badge(basis, schema['x-measured'])}</td><td>${meaning}</td></tr>
`
}

const WORDLESS = /^(?:\\S|\^\\d\{4\}-.*)$/

function limitsOf(schema: JsonSchema): string {
  const { minLength, maxLength, minItems, exclusiveMinimum, maximum, pattern, format, 'x-default': otherwise } = schema
  return [
    minLength !== undefined && maxLength !== undefined && `${minLength} to ${maxLength} characters`,
    minLength === undefined && maxLength !== undefined && `at most ${maxLength} characters`,
    minItems !== undefined && `at least ${minItems}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    format !== undefined && (format === 'uri' ? 'a URL' : format),
    pattern !== undefined && format === undefined && !WORDLESS.test(pattern) && pattern,
    otherwise !== undefined && `${JSON.stringify(otherwise)} unless given`,
  ]
    .filter((limit) => limit !== false)
    .join('; ')
}
