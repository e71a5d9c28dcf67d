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
  progress(label: string, isPatient?: boolean): ProgressLine
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
    progress: (label, isPatient) => progressOn(stderr, label, isPatient),
  }
}

const USUAL_LINE = 80
const BAR_COLUMNS = 24
const INTERRUPTED = 130
const CLEAR_LINE = '\r\u001b[K'

interface ProgressLine {
  at(fraction: number | undefined, note?: string): void
  end(): void
}

/**
 * Draws only on a terminal, so that files never contain a bar. `isPatient`: Ctrl-C does not exit, because the work
 * stops by itself and keeps its result.
 */
function progressOn(stream: WriteStream, label: string, isPatient = false): ProgressLine {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return { at: () => {}, end: () => {} }
  let drawn = ''
  const end = () => {
    process.off('SIGINT', interrupted)
    if (drawn !== '') stream.write(CLEAR_LINE)
    drawn = ''
  }
  const interrupted = () => {
    end()
    process.exit(INTERRUPTED)
  }
  return {
    at: (fraction, note = '') => {
      const line = progressLine(label, fraction, note).slice(0, (stream.columns || USUAL_LINE) - 1)
      if (drawn === '' && !isPatient) process.once('SIGINT', interrupted)
      if (line !== drawn) stream.write(CLEAR_LINE + line)
      drawn = line
    },
    end,
  }
}

function progressLine(label: string, fraction: number | undefined, note: string): string {
  if (fraction === undefined) return `${label}  ${note}`
  const done = Math.max(0, Math.min(1, fraction))
  const full = Math.round(done * BAR_COLUMNS)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full)
  return `${label}  ${bar}  ${String(Math.floor(done * 100)).padStart(3)}%${note === '' ? '' : `  ${note}`}`
}
