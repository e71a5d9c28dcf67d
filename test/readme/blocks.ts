/** Reads code blocks of Markdown, and compares what a page says that a command prints with what it printed. */

export interface Block {
  text: string
  /** The block right behind it, where that is text or JSON. */
  printed: { language: string; text: string } | undefined
}

/** Those in lists, which are indented, too. */
export function blocksOf(markdown: string, language: string): Block[] {
  const found = [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$(?=(\n*))/gm)].map((match) => ({
    language: match[2] ?? '',
    text: (match[3] ?? '').replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
    end: match.index + match[0].length + (match[4] ?? '').length,
    start: match.index,
  }))
  return found.flatMap((one, i) => {
    if (one.language !== language) return []
    const next = found[i + 1]
    const isBehind = next?.start === one.end && ['text', 'json'].includes(next.language)
    return [{ text: one.text, printed: isBehind ? next : undefined }]
  })
}

/** Each begins with a letter at the beginning of a line, unless it is inside a here-document. */
export function commandsOf({ text }: Block): string[] {
  const found: string[] = []
  for (const part of text.replaceAll(/\\\n/g, '').split(/\n(?=[a-zA-Z])/)) {
    const last = found.at(-1) ?? ''
    const end = last.match(/<<'(\w+)'/)?.[1]
    if (end === undefined || last.endsWith(`\n${end}`)) found.push(part.trimEnd())
    else found[found.length - 1] = `${last}\n${part.trimEnd()}`
  }
  return found
}

/** What differs from run to run. */
const changing: readonly [form: RegExp, name: string][] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g, 'TIME'],
  [/\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d:\d\d \w+/g, 'TIME'],
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID'],
  [/\b(?:req_\w+|msg_[\da-f]+|eyJ[\w.-]+)/g, 'ID'],
  [/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'DURATION'],
]

/** `…` stands for anything, and a line of its own for any lines. White space does not count. */
export function printedAs(printed: { language: string; text: string }, output: string) {
  const plain = (text: string) =>
    changing
      .reduce((all, [form, name]) => all.replaceAll(form, name), text)
      .replaceAll(/\s+/g, printed.language === 'json' ? '' : ' ')
      .trim()
  const parts = plain(printed.text)
    .split('…')
    .map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return { actual: plain(output), pattern: new RegExp(`^${parts.join('[\\s\\S]*?')}$`) }
}
