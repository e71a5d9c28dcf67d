import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { printable } from '../../core/model/text.ts'
import { unguessable } from '../../hosts/node/wall.ts'

const USUAL_WIDTH = 80
const ESCAPE = '\u001b'
/** Stands for the escape of a style until text is written, so that nobody else's passes for one. Late: a start needs none. */
let mark: string | undefined
const styleMark = () => {
  mark ??= `${ESCAPE}${unguessable()}`
  return mark
}

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export interface Output {
  /** Text of others cannot control the terminal or the runner. `commands`: for the runner of a job, and escaped. */
  out(text: string, commands?: 'commands'): void
  error(text: string): void
  paint: Paint
  /** Columns of a line. Infinite if the output is not a terminal. */
  width: number
  read: boolean
  watched: boolean
  progress(label: string): ProgressLine
}

/** Node decides about colours, because it knows NO_COLOR, FORCE_COLOR and the terminal. */
export function processOutput(): Output {
  const { stdout, stderr } = process
  // The reader of our output may go away, as in `mfano payment list | head`.
  stdout.on('error', () => {})
  return {
    out: (text, commands) => stdout.write(commands ? text : text.split(styleMark()).map(printable).join(ESCAPE)),
    error: (text) => stderr.write(`mfano: ${printable(text)}\n`),
    paint: (style, text) => styleText(style, text, { stream: stdout }).replaceAll(`${ESCAPE}[`, `${styleMark()}[`),
    // A terminal that does not know its width says 0.
    width: stdout.isTTY ? stdout.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    read: stdout.isTTY === true,
    watched: stderr.isTTY === true,
    progress: (label) => progressOn(stderr, label),
  }
}

const USUAL_LINE = 80
const CLEAR_LINE = '\r\u001b[K'

interface ProgressLine {
  at(note: string): void
  end(): void
}

/** Draws only on a terminal, so that files never contain it. */
function progressOn(stream: WriteStream, label: string): ProgressLine {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return { at: () => {}, end: () => {} }
  let drawn = ''
  return {
    at: (note) => {
      const line = `${label}  ${note}`.slice(0, (stream.columns || USUAL_LINE) - 1)
      if (line !== drawn) stream.write(CLEAR_LINE + line)
      drawn = line
    },
    end: () => {
      if (drawn !== '') stream.write(CLEAR_LINE)
      drawn = ''
    },
  }
}
