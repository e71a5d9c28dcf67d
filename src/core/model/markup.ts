/** Texts of others, made safe to stand in XML, HTML and Markdown. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Leaves out what XML cannot hold at all. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (found) => entities[found] as string)
  )
}

/** One line of Markdown that says what the text says: it breaks no table, is no markup itself, links nowhere and calls nobody. */
export function markdownText(text: string): string {
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|~#&]|:(?=\/\/)|(?<=www)\./gi, (found) => `\\${found}`)
  return uncalled(plain)
}

/** As `markdownText`, between the tags of an HTML block, where Markdown is not read. */
export function summaryText(text: string): string {
  return uncalled(escaped(text.replaceAll(/\s+/g, ' ')))
}

/**
 * GitHub and GitLab look for `@team` and `#12` in what was rendered, so that no escape keeps them from it: a space of no
 * width does. It also keeps addresses of mail from becoming links.
 */
function uncalled(markup: string): string {
  return markup.replace(/@|(?<!&)#(?=\d)/g, (found) => `${found}&#8203;`)
}
