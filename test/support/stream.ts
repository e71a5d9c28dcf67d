/** A reader of server-sent events, as a test needs one: it takes the next event, and never waits for time. */

export interface ServerSent {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
  data: any
}

export class EventReader {
  readonly #abort = new AbortController()
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #text = ''
  /** The event that came in the place of a greeting, where there is none. */
  first: ServerSent | undefined

  private constructor(response: Response, abort: AbortController) {
    this.#abort = abort
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader()
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const abort = new AbortController()
    const response = await fetch(url, { headers, signal: abort.signal })
    if (response.status !== 200) throw new Error(await response.text())
    const reader = new EventReader(response, abort)
    // The greeting; whatever happens from here on is told.
    reader.first = read((await reader.#block()) ?? '')
    return reader
  }

  /** The next event; undefined when the stream is over. */
  async next(): Promise<ServerSent | undefined> {
    for (;;) {
      const block = await this.#block()
      if (block === undefined) return undefined
      const event = read(block)
      if (event) return event
    }
  }

  async take(count: number): Promise<ServerSent[]> {
    const taken: ServerSent[] = []
    while (taken.length < count) {
      const one = await this.next()
      if (!one) break
      taken.push(one)
    }
    return taken
  }

  close(): void {
    this.#abort.abort()
  }

  async #block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end !== -1) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block
      }
      const { value, done } = await this.#reader.read()
      if (done) return undefined
      this.#text += this.#decoder.decode(value, { stream: true })
    }
  }
}

/** A block of the stream as an event; undefined for one that tells nothing. */
function read(block: string): ServerSent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  return data === undefined
    ? undefined
    : { id: field('id'), event: field('event') ?? 'message', data: JSON.parse(data) }
}
