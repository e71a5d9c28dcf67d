import type { AnyControl, Control, ControlRequest } from './control.ts'
import { ANSWER_MAX_BYTES, boundedText } from './send.ts'

const PAGE = 1000

interface CsvAsked extends Pick<ControlRequest, 'path' | 'query'> {
  list: string
}

/** Follows `Link` headers to the last page, unless the query limits the rows. The header row appears once. */
export async function wholeCsv({ open }: Pick<Control, 'open'>, asked: CsvAsked): Promise<string> {
  const { list, path, query = {} } = asked
  const limited = query['limit'] !== undefined
  let next: ControlRequest['query'] = { ...query, format: 'csv' }
  const texts: string[] = []
  let size = 0
  for (;;) {
    const response: Response = await (open as AnyControl)<Response>('GET', list, { ...(path && { path }), query: next })
    const text = await boundedText(response.body, ANSWER_MAX_BYTES - size)
    size += text.length
    texts.push(texts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2))
    const [, more]: string[] = /^<\?([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
    if (more === undefined || limited) return texts.join('')
    // Only a list that has pages takes a limit.
    next = { ...Object.fromEntries(new URLSearchParams(more)), limit: PAGE }
  }
}
