/** Schemas of an OpenAPI document as tables of their fields. */
import { html } from 'hono/html'
import { isRecord } from '../../../src/core/model/must.ts'
import type { OpenApi, OpenApiParameter } from '../../../src/http/contract.ts'
import { type Basis, type JsonSchema, resolved } from '../../../src/http/json-schema.ts'
import { filledIn, type Html, where } from './shell.ts'

interface Known {
  'x-basis'?: Basis | 'own' | undefined
  'x-source'?: string | undefined
  /** The assumption behind it, which a world may have measured. */
  'x-assumption'?: unknown
}

export function badge({ 'x-basis': basis = 'assumed', 'x-source': source, 'x-assumption': assumption }: Known): Html {
  const own = html`<span class="badge ${basis}"${source !== undefined && html` title="${source}"`}>${basis}</span>`
  const id = isRecord(assumption) ? assumption['id'] : assumption
  if (basis !== 'assumed' || typeof id !== 'string') return own
  const measured = `measured:${id}`
  return where(measured, html`<span class="badge measured" title="${filledIn(measured)}">measured</span>`, own)
}

/** Records that many answers share have a page of their own, `records`, and are linked. */
export class SchemaTables {
  readonly #components: Record<string, JsonSchema>
  readonly #records: string

  /** `folder`: from the page to that of the reference. */
  constructor({ components }: OpenApi, folder: string) {
    this.#components = components.schemas
    this.#records = `${folder}records`
  }

  parameters(parameters: readonly OpenApiParameter[]): Html {
    return table(
      parameters.map(({ name, in: place, required, description, schema, 'x-basis': basis }) =>
        row(
          name,
          this.#type(schema),
          { ...schema, 'x-basis': basis },
          required,
          `${description ?? ''} In the ${place}.`,
        ),
      ),
    )
  }

  fields(schema: JsonSchema): Html {
    const rows = this.#rows(schema, '', 0)
    if (rows.length > 0) return table(rows)
    return html`<p>${this.#type(resolved(schema, this.#components))}</p>`
  }

  records(): Html {
    return html`<h1>Shared records</h1>
${Object.entries(this.#components).map(([id, schema]) => html`<details class="record" id="record-${id}"><summary><b>${id}</b> ${schema['x-basis'] !== undefined && badge(schema)}</summary>${this.#alternatives(schema).map((one) => this.fields(one))}</details>`)}`
  }

  #alternatives({ anyOf, ...schema }: JsonSchema): JsonSchema[] {
    return anyOf?.some((one) => resolved(one, this.#components).properties)
      ? anyOf
      : [anyOf ? { ...schema, anyOf } : schema]
  }

  #rows(schema: JsonSchema, prefix: string, depth: number): Html[] {
    const it = resolved(schema, this.#components)
    if (it.items !== undefined) return this.#rows(it.items, `${prefix.replace(/\.$/, '')}[].`, depth)
    return Object.entries(it.properties ?? {}).flatMap(([key, field]) => {
      const own = resolved(field, this.#components)
      const required = it.required?.includes(key) ?? false
      const shown = row(`${prefix}${key}`, this.#type(field, depth), own, required, own.description ?? '')
      const open = shareable(field) === undefined || depth < 1
      return open && (own.properties ?? own.items?.properties ?? own.items?.$ref)
        ? [shown, ...this.#rows(field, `${prefix}${key}.`, depth + 1)]
        : [shown]
    })
  }

  #type(field: JsonSchema, depth = 0): Html | string {
    const id = shareable(field)
    if (id !== undefined && (depth >= 1 || field.anyOf)) {
      const orNull = field.anyOf?.some(({ type }) => type === 'null') ? ' or null' : ''
      return html`<a href="${this.#records}#record-${id}">${id}</a>${orNull}`
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
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

function row(name: string, type: Html | string, schema: JsonSchema, required: boolean, meaning: string): Html {
  const limits = limitsOf(schema)
  const shown = limits === '' ? type : html`${type}<span class="limits">${limits}</span>`
  return html`<tr><td><code>${name}</code><span class="limits">${required ? 'required ' : ''}${badge(schema)}</span></td><td>${shown}</td><td>${meaning}</td></tr>
`
}

/** Longer patterns are in the OpenAPI document alone. */
const PATTERN_MAX = 60
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
    pattern !== undefined &&
      format === undefined &&
      pattern.length <= PATTERN_MAX &&
      !WORDLESS.test(pattern) &&
      pattern,
    otherwise !== undefined && `${JSON.stringify(otherwise)} unless given`,
  ]
    .filter((limit) => limit !== false)
    .join('; ')
}
