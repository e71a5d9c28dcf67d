/** Renders a page of the documentation, and what a search finds in all of them. */
import { html, raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { addressOf, type Document } from './documents.ts'
import type { Html } from './page.ts'
import { operationsOf } from './reference.ts'

export async function htmlOf(shown: Document): Promise<Html> {
  return html`${raw(folded(toHtml(await shown.markdown())))}`
}

const FOLDED_FROM = 30
const PART = /^<h3 id="([^"]*)">([\s\S]*?) <a class="anchor"[^\n]*<\/h3>\n([\s\S]*)$/
const SENTENCE = /^<p>(.*?)(?:[.:;](?:\s|<)|<\/p>)/

/** Folds the parts of a page that has many, so that a reader finds one by its name. A link to a part opens it. */
function folded(page: string): string {
  const parts = page.split(/^(?=<h[1-3] )/m)
  if (parts.filter((part) => part.startsWith('<h3')).length < FOLDED_FROM) return page
  return parts
    .map((part) => {
      const [whole, id, name, text = ''] = PART.exec(part) ?? []
      if (whole === undefined) return part
      const about = SENTENCE.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
      return `<details class="record"><summary><h3>${name}</h3> <span>${about}</span></summary>
<div id="${id}">${text}</div></details>
`
    })
    .join('')
}

/** Shows tags as text: our pages have none, and quoted text may look like one. */
function toHtml(markdown: string): string {
  const known = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(text, known)
        const link = depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this part">#</a>` : ''
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escaped(text)),
      link({ href, tokens }: Tokens.Link) {
        const to = href.replace(/^([\w-]+)\.md(?=#|$)/, (_, name: string) => addressOf(name))
        return `<a href="${escaped(to)}">${this.parser.parseInline(tokens)}</a>`
      },
      table({ header, rows }: Tokens.Table) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${header.map((one) => `<th scope="col">${inline(one)}</th>`).join('')}</tr></thead>`
          : ''
        const label = (i: number) =>
          i > 0 && header[i]?.text ? ` data-label="${escaped(header[i].text.replaceAll(/[`*]/g, ''))}"` : ''
        const lines = rows.map(
          (row) => `<tr>${row.map((one, i) => `<td${label(i)}>${inline(one)}</td>`).join('')}</tr>`,
        )
        return `<table>${head}<tbody>${lines.join('\n')}</tbody></table>\n`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** Made like GitHub's, so that links to headings work in both places. */
export function anchorOf(text: string, known: Map<string, number> = new Map()): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const times = known.get(anchor) ?? 0
  known.set(anchor, times + 1)
  return times === 0 ? anchor : `${anchor}-${times}`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? found)
}

export interface Findable {
  id: number
  title: string
  heading: string
  text: string
  href: string
}

export async function findables(all: readonly Document[]): Promise<Findable[]> {
  const found: Findable[] = []
  for (const document of all) {
    const { name, title, contract } = document
    if (contract) {
      const listed = operationsOf(await contract())
      for (const { operation, method, path } of listed) {
        const text = [method.toUpperCase(), path, operation.operationId, operation.description ?? ''].join(' ')
        const folder = name === 'service' ? 'api' : name
        found.push({
          id: found.length,
          title,
          heading: operation.summary,
          text,
          href: `${folder}/${operation.operationId}`,
        })
      }
      continue
    }
    const known = new Map<string, number>()
    for (const part of (await document.markdown()).split(/^(?=#{1,4} )/m)) {
      const [line = '', ...rest] = part.split('\n')
      const heading = line.replace(/^#+ /, '')
      if (!line.startsWith('#')) continue
      const anchor = anchorOf(heading, known)
      const href = `${name}#${anchor}`
      found.push({
        id: found.length,
        title,
        heading: heading.replaceAll('`', ''),
        text: rest.join('\n').slice(0, 4000),
        href,
      })
    }
  }
  return found
}
