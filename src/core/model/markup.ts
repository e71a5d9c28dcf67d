/** Escapes texts for XML, HTML and Markdown. */
import { oneLine } from './one-line.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (found) => entities[found] ?? found)
  )
}

/** One line that shows the text as it is: it cannot break a table, format, link or mention anybody. */
export function markdownText(text: string): string {
  const plain = oneLine(text.replaceAll(/\s+/g, ' ')).replace(
    /[\\`*_{}[\]<>|~#&]|:(?=\/\/)|(?<=www)\./gi,
    (found) => `\\${found}`,
  )
  return uncalled(plain)
}

export function summaryText(text: string): string {
  return uncalled(escaped(text.replaceAll(/\s+/g, ' ')))
}

/**
 * GitHub and GitLab find `@team` and `#12` in rendered text, so escapes do not help: a zero-width space does. It also
 * stops mail addresses from becoming links.
 */
function uncalled(markup: string): string {
  return markup.replace(/@|(?<!&)#(?=\d)/g, (found) => `${found}&#8203;`)
}
