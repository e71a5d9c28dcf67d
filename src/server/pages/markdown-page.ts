/** Renders a page of the documentation, with a list of all pages and a search. */
import { html, raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { type Document, groups } from './documents.ts'
import type { Html } from './page.ts'

/** Links are relative, so that any base URL works. */
export async function markdownPage(shown: Document, all: readonly Document[], hasScript: boolean): Promise<Html> {
  const lists = groups.map(
    (group) => html`<h2>${group}</h2>
<ul>${all.filter((one) => one.group === group).map((one) => html`<li><a href="${addressOf(one.name)}"${one === shown && html` aria-current="page"`}>${one.title}</a></li>`)}</ul>`,
  )
  const contents = (label: string) => html`<nav aria-label="${label}">${lists}</nav>`
  return html`<header class="top"><div class="inner">
<p class="links"><a href="readme">mfano</a> <a href="../_mfano/">Dashboard</a> <a href="${shown.name}.md">This page as Markdown</a></p>
${
  hasScript &&
  html`<form class="search" role="search" hidden><label for="search">Search</label>
<input id="search" type="search" autocomplete="off"><ul id="found" aria-live="polite"></ul></form>`
}
</div></header>
<div class="shell">
<details class="toc narrow"><summary>Pages</summary>${contents('Pages')}</details>
<div class="toc wide">${contents('Pages, beside the text')}</div>
<main class="doc">${raw(toHtml(await shown.markdown()))}</main>
</div>`
}

/** The service's contract has an HTML page that shows more than its Markdown. */
function addressOf(name: string): string {
  return name === 'service' ? '../docs' : name
}

/** Shows tags as text: our pages have none, and quoted text may look like one. */
function toHtml(markdown: string): string {
  const known = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text, known)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escaped(text)),
      link({ href, tokens }: Tokens.Link) {
        const to = href.replace(/^([\w-]+)\.md(?=#|$)/, (_, name: string) => addressOf(name))
        return `<a href="${escaped(to)}">${this.parser.parseInline(tokens)}</a>`
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`).join('')
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(header, 'th scope="col"')}</tr></thead>`
          : ''
        return `<table>${head}<tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')}</tbody></table>\n`
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
    const { name, title } = document
    const known = new Map<string, number>()
    for (const part of (await document.markdown()).split(/^(?=#{1,4} )/m)) {
      const [line = '', ...rest] = part.split('\n')
      const heading = line.replace(/^#+ /, '')
      if (!line.startsWith('#')) continue
      const anchor = anchorOf(heading, known)
      const href = name === 'service' ? addressOf(name) : `${name}#${anchor}`
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
