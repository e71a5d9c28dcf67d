/** Prints Markdown as HTML, and what a search finds in it. */
import { Marked, type Tokens } from 'marked'
import type { Findable } from '../../../src/server/pages/browser/docs-script.ts'

/** `read` gives the files of the documentation, by their path in it. */
export function htmlOf(markdown: string, read: (path: string) => string): string {
  return folded(toHtml(markdown, read))
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
        const to = href.replace(/^([\w-]+)\.md(?=#|$)/, '$1')
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

interface Part extends Pick<Findable, 'heading' | 'text' | 'href'> {
  level: number
}

/** The parts of a page, each below its heading; the address is within the page. */
export function partsOf(markdown: string): Part[] {
  const known = new Map<string, number>()
  // A comment in code is no heading.
  const text = markdown.replaceAll(/^( *)```[\s\S]*?^\1```/gm, (code) => code.replaceAll(/^#/gm, ' #'))
  return text.split(/^(?=#{1,4} )/m).flatMap((part) => {
    const [line = '', ...rest] = part.split('\n')
    if (!line.startsWith('#')) return []
    const heading = line.replace(/^#+ /, '')
    const href = `#${anchorOf(heading, known)}`
    const level = line.indexOf(' ')
    return [{ level, heading: heading.replaceAll('`', ''), text: rest.join('\n').slice(0, 4000), href }]
  })
}
