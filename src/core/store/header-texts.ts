/** Headers as they are stored. */

/** Headers as JSON. Those that do not change are shared by callbacks: of such, the text is remembered. */
export class HeaderTexts {
  #last: { headers: Readonly<Record<string, string>>; text: string } | undefined

  of(headers: Readonly<Record<string, string>>): string {
    if (headers === this.#last?.headers) return this.#last.text
    const text = JSON.stringify(headers)
    if (Object.isFrozen(headers)) this.#last = { headers, text }
    return text
  }
}
