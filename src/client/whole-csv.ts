/** A list of the control plane as CSV, all of its pages. */
import type { AnyControl, Asked, Control } from './control.ts'

/** Rows of a page, where a list has pages. */
const PAGE = 1000

/** Which list, and what of it. */
export interface CsvAsked extends Pick<Asked, 'path' | 'query'> {
  /** Of the control plane, without `/_mfano`: `/payments`. */
  list: string
  /** The list has pages: all of them are read, unless the query says how many rows are wanted. */
  paged?: boolean
}

/** Follows the `Link` headers to the last page; the header of columns stands once. */
export async function wholeCsv({ open }: Pick<Control, 'open'>, asked: CsvAsked): Promise<string> {
  const { list, path, paged = false, query = {} } = asked
  const limited = query['limit'] !== undefined
  let next: Asked['query'] = { ...(paged && { limit: PAGE }), ...query, format: 'csv' }
  const texts: string[] = []
  for (;;) {
    const response: Response = await (open as AnyControl)<Response>('GET', list, { ...(path && { path }), query: next })
    const text = await response.text()
    texts.push(texts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2))
    const [, more]: string[] = /^<\?([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
    if (more === undefined || limited) return texts.join('')
    next = Object.fromEntries(new URLSearchParams(more))
  }
}
