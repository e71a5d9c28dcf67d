/** Texts that programs show: what stands in elements of pages, and in properties that hold words for people. */
import { readFileSync } from 'node:fs'
import { parseAst } from 'vite'

/** Attributes and properties whose text somebody reads. */
const READ = new Set(
  'title label description placeholder about aria-label words summary help what why todo hint question meaning cause fix note'.split(
    ' ',
  ),
)

export interface UiText {
  line: number
  text: string
}

/** A part of the syntax tree, as far as it is read here. */
interface Part {
  type: string
  start: number
  children: Part[]
  openingElement: Part & { selfClosing: boolean }
  /** Of a property and of an attribute. */
  key: { type: string; name: string }
  name: { name: string }
  value: Part | string
  expression: Part
  quasis: { value: { cooked: string } }[]
}

/** What a variable part is shown as counts as one word. */
const PART = 'x'

export function uiTexts(file: string): UiText[] {
  const source = readFileSync(file, 'utf8')
  const found: UiText[] = []
  const add = ({ start }: Part, text: string) => {
    const line = source.slice(0, start).split('\n').length
    // A name or a code is no sentence.
    if (/\p{L} \p{L}/u.test(text)) found.push({ line, text: text.replaceAll(/\s+/g, ' ').trim() })
  }
  const visit = (part: Part | null): void => {
    if (typeof part !== 'object' || part === null) return
    const { type, children, openingElement, key, name, value } = part
    if (
      type === 'JSXElement' &&
      children.some((child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)))
    ) {
      visit(openingElement)
      add(part, shown(children))
      return
    }
    const named = type === 'JSXAttribute' ? name : type === 'Property' && key.type === 'Identifier' ? key : undefined
    const text = named && READ.has(named.name) ? textOf(value as Part | null) : undefined
    if (text !== undefined) add(part, text)
    else for (const inside of Object.values(part)) visit(inside)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Part)
  return found
}

function shown(children: Part[]): string {
  return children
    .map((child) => {
      if (child.type === 'JSXText') return String(child.value)
      if (child.type === 'JSXElement' && !child.openingElement.selfClosing) return shown(child.children)
      return child.type === 'JSXExpressionContainer' ? (textOf(child) ?? PART) : PART
    })
    .join('')
}

function textOf(part: Part | null): string | undefined {
  if (part === null) return undefined
  if (part.type === 'Literal') return typeof part.value === 'string' ? part.value : undefined
  if (part.type === 'JSXExpressionContainer') return textOf(part.expression)
  return part.type === 'TemplateLiteral' ? part.quasis.map(({ value }) => value.cooked).join(PART) : undefined
}
