/** Texts that programs show: what stands in elements of pages, and in properties that hold words for people. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

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

/** What a variable part is shown as counts as one word. */
const PART = 'x'

export function uiTexts(file: string): UiText[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: UiText[] = []
  const add = (node: ts.Node, text: string) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    // A name or a code is no sentence.
    if (/\p{L} \p{L}/u.test(text)) found.push({ line, text: text.replaceAll(/\s+/g, ' ').trim() })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && node.children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text))) {
      visit(node.openingElement)
      add(node, shown(node.children))
      return
    }
    const named = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node : undefined
    const text = named?.initializer && READ.has(named.name.getText()) ? textOf(named.initializer) : undefined
    if (named && text !== undefined) add(named, text)
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function shown(children: ts.NodeArray<ts.JsxChild>): string {
  return children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text
      if (ts.isJsxElement(child)) return shown(child.children)
      return ts.isJsxExpression(child) && child.expression ? (textOf(child.expression) ?? PART) : PART
    })
    .join('')
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isJsxExpression(node)) return node.expression && textOf(node.expression)
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => PART + literal.text).join('')
}
