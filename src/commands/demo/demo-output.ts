/** Prints what happens in the demo: in lines for people, at reading pace where one reads along, or in JSON for programs. */
import { realPause } from '../../hosts/node/wall.ts'
import type { Output } from '../output.ts'
import type { Progress } from '../progress.ts'

export type Actor = 'mfano' | 'merchant' | 'customer' | 'callback' | 'time'

/** One thing that happened. */
export interface DemoEvent {
  who: Actor
  text: string
  /** Simulated time. */
  at: string
  /** It went well, or it did not. */
  good?: boolean
  /** For programs. */
  data?: object
}

/** Real milliseconds that a letter takes to be read; some thousand letters a minute. */
const MS_PER_LETTER = 19
const ACTOR_COLUMNS = 8
const INDENT = 23
const WIDTH = 110
const LEAST = 30

export class DemoOutput {
  readonly #output: Output
  readonly #mode: 'json' | 'paced' | 'fast'
  readonly #progress: Progress
  /** What comes while something is still being read waits its turn. */
  #told: Promise<void> = Promise.resolve()
  #sections = 0
  readonly #sectionCount: number

  constructor(output: Output, mode: 'json' | 'paced' | 'fast', sections: number) {
    this.#output = output
    this.#mode = mode
    this.#progress = output.progress('demo')
    this.#sectionCount = sections
  }

  /** Begins a new part. */
  section(title: string): Promise<void> {
    return this.#next(async () => {
      const { paint } = this.#output
      if (this.#mode === 'json') return this.#json({ event: 'act', title })
      this.#line(`\n${paint('bold', title)}\n`)
      this.#sections++
    })
  }

  tell(event: DemoEvent): Promise<void> {
    return this.#next(async () => {
      const { who, text, at, data } = event
      if (this.#mode === 'json') return this.#json({ event: who, at, text, ...(data && { data }) })
      this.#line(this.#inLines(event))
      if (this.#mode === 'paced') await realPause(text.length * MS_PER_LETTER)
    })
  }

  /** Something that is no sentence, such as a table; `data` for programs. */
  show(text: string, event: string, data: object): Promise<void> {
    return this.#next(async () => {
      if (this.#mode === 'json') this.#json({ event, ...data })
      else this.#line(text)
    })
  }

  /** Resolves when all is told. */
  async end(): Promise<void> {
    await this.#told
    this.#progress.end()
  }

  #next(tell: () => Promise<void>): Promise<void> {
    this.#told = this.#told.then(tell)
    return this.#told
  }

  #line(text: string): void {
    this.#progress.end()
    this.#output.out(text)
    if (this.#mode === 'paced') this.#progress.at(this.#sections / this.#sectionCount)
  }

  #json(line: object): void {
    this.#output.out(`${JSON.stringify(line)}\n`)
  }

  #inLines({ at, who, text, good }: DemoEvent): string {
    const { paint, width } = this.#output
    const style = good === undefined ? undefined : good ? 'green' : 'red'
    const [first = '', ...more] = wrapped(text, Math.max(LEAST, Math.min(width, WIDTH) - INDENT))
    const shown = (line: string) => (style ? paint(style, line) : line)
    const colour = { mfano: 'cyan', merchant: 'blue', customer: 'magenta', callback: 'yellow', time: 'dim' } as const
    const begin = `${paint('dim', moment(at))}  ${paint(colour[who], who.padEnd(ACTOR_COLUMNS))} `
    return [`${begin}${shown(first)}`, ...more.map((line) => ' '.repeat(INDENT) + shown(line))].join('\n').concat('\n')
  }
}

/** `Fri 09:00:02`: enough to see that time moved. */
function moment(at: string): string {
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${at.slice(0, 10)}Z`),
  )
  return `${day} ${at.slice(11, 19)}`
}

/** A text in lines of so many columns at most. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
