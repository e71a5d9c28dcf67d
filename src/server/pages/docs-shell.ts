/** Shared by all pages of documentation: header, search, theme, navigation, the page before and the one behind. */
import { html } from 'hono/html'
import type { Basis } from '../../core/model/assumption.ts'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'
import type { OpenApi, OpenApiParameter } from './openapi-markdown.ts'
import type { Html } from './page.ts'

export interface NavGroup {
  title: string
  /** Addresses are relative to the folder of the documentation. */
  links: readonly { to: string; text: string }[]
}

export interface ShownPage {
  /** From the page to the folder of the documentation: `docs/`, nothing, or `../`. */
  base: string
  /** As a link of the navigation has it. */
  at: string
  groups: readonly NavGroup[]
  /** Its Markdown, relative to that folder. */
  markdown: string
  hasScript: boolean
  body: Html
}

export const API_LIST = '../docs'
export const CONTROL = 'control'

export function docsShell({ base, at, groups, markdown, hasScript, body }: ShownPage): Html {
  const links = groups.flatMap((group) => group.links)
  const here = links.findIndex(({ to }) => to === at)
  const link = ({ to, text }: { to: string; text: string }, more: Html | false = false) =>
    html`<a href="${base}${to}"${more}>${text}</a>`
  const tops = [
    { to: 'contents', text: 'Guides' },
    { to: API_LIST, text: 'API' },
    { to: CONTROL, text: 'Control plane' },
    { to: '../_mfano/', text: 'Dashboard' },
  ]
  const nav = groups.map(
    (group) => html`<details${group.links.some(({ to }) => to === at) && html` open`}><summary>${group.title}</summary>
<ul>${group.links.map((one) => html`<li>${link(one, one.to === at && html` aria-current="page"`)}</li>`)}</ul></details>`,
  )
  const beside = [
    { rel: 'prev', sign: '←', to: links[here - 1] },
    { rel: 'next', sign: '→', to: links[here + 1] },
  ]
  return html`<a class="skip" href="#content">Skip to the text</a>
<header class="top"><div class="inner">
<p class="brand"><a href="${base}readme">mfano</a></p>
<nav aria-label="Parts">${tops.map((one) => link(one))}</nav>
${
  hasScript &&
  html`<form class="search" role="search" hidden data-base="${base}"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Press / to search"><ul id="found" aria-live="polite"></ul></form>
<button class="theme" type="button" hidden>Theme</button>`
}
</div></header>
<div class="shell">
<input type="checkbox" id="menu"><label for="menu">Pages</label>
<nav class="toc" aria-label="Pages">${nav}</nav>
<main id="content" class="doc" tabindex="-1">${body}
<nav class="beside" aria-label="Page before and behind">${beside.map(({ rel, sign, to }) => to && html`<a rel="${rel}" href="${base}${to.to}"><span aria-hidden="true">${sign}</span> ${to.text}</a>`)}</nav>
<p class="source"><a href="${base}${markdown}">As Markdown</a></p></main>
</div>`
}

// Renders schemas as tables for the contract page.

export function badge(basis: Basis | 'own' | undefined, source?: string): Html {
  const known = basis ?? 'assumed'
  return html`<span class="badge ${known}"${source !== undefined && html` title="${source}"`}>${known}</span>`
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
        row(name, this.#type(schema), schema, required, basis, `${description ?? ''} In the ${place}.`),
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
${Object.entries(this.#components).map(([id, schema]) => html`<details class="record" id="record-${id}"><summary><b>${id}</b> ${schema['x-basis'] !== undefined && badge(schema['x-basis'])}</summary>${this.#alternatives(schema).map((one) => this.fields(one))}</details>`)}`
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

function row(
  name: string,
  type: Html | string,
  schema: JsonSchema,
  required: boolean,
  basis: Basis | undefined,
  meaning: string,
): Html {
  const limits = limitsOf(schema)
  const shown = limits === '' ? type : html`${type}<span class="limits">${limits}</span>`
  return html`<tr><td><code>${name}</code><span class="limits">${required ? 'required ' : ''}${badge(basis, schema['x-measured'])}</span></td><td>${shown}</td><td>${meaning}</td></tr>
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
