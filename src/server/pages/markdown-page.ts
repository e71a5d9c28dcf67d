/** Renders a page of the documentation, and what a search finds in all of them. */
import { html, raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { addressOf, type Document } from './documents.ts'
import type { Html } from './page.ts'
import { operationsOf } from './reference.ts'

/** `read` gives the files of the documentation, by their path in it. */
export async function htmlOf(shown: Document, read: (path: string) => string): Promise<Html> {
  return html`${raw(toHtml(await shown.markdown(), read))}`
}

/** Shows tags as text: our pages have none, and quoted text may look like one. */
function toHtml(markdown: string, read: (path: string) => string): string {
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
      // Inside the page, where the page's own style gives it the colours of the theme.
      image: ({ href }: Tokens.Image) => read(href).replace(/<style>[\s\S]*<\/style>\n?/, ''),
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
  keywords: string
  text: string
  href: string
  isReference: boolean
}

export async function findables(all: readonly Document[]): Promise<Findable[]> {
  const found: Findable[] = []
  for (const document of all) {
    const { name, title, keywords, contract, group } = document
    const isReference = group === 'Reference'
    if (contract) {
      const listed = operationsOf(await contract())
      for (const { operation, method, path } of listed) {
        const text = [method.toUpperCase(), path, operation.operationId, operation.description ?? ''].join(' ')
        const folder = name === 'service' ? 'api' : name
        found.push({
          id: found.length,
          title,
          heading: operation.summary,
          keywords,
          text,
          href: `${folder}/${operation.operationId}`,
          isReference,
        })
      }
      continue
    }
    const known = new Map<string, number>()
    // A comment in code is no heading.
    const text = (await document.markdown()).replaceAll(/^( *)```[\s\S]*?^\1```/gm, (code) =>
      code.replaceAll(/^#/gm, ' #'),
    )
    for (const part of text.split(/^(?=#{1,4} )/m)) {
      const [line = '', ...rest] = part.split('\n')
      const heading = line.replace(/^#+ /, '')
      if (!line.startsWith('#')) continue
      const anchor = anchorOf(heading, known)
      const href = `${name}#${anchor}`
      found.push({
        id: found.length,
        title,
        heading: heading.replaceAll('`', ''),
        keywords: line.startsWith('# ') ? keywords : '',
        text: rest.join('\n').slice(0, 4000),
        href,
        isReference,
      })
    }
  }
  return found
}
