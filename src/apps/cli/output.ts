/** Where a command writes, and what its reader can display. */
import { styleText } from 'node:util'
import { printable } from '../../core/model/one-line.ts'
import { unguessable } from '../../hosts/node/wall.ts'
import { type ProgressLine, progressOn } from './progress.ts'

const USUAL_WIDTH = 80
const ESCAPE = '\u001b'
/** Stands for the escape of a style until text is written, so that nobody else's passes for one. */
const STYLE = `${ESCAPE}${unguessable()}`

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
    out: (text, commands) => stdout.write(commands ? text : text.split(STYLE).map(printable).join(ESCAPE)),
    error: (text) => stderr.write(`mfano: ${printable(text)}\n`),
    paint: (style, text) => styleText(style, text, { stream: stdout }).replaceAll(`${ESCAPE}[`, `${STYLE}[`),
    // A terminal that does not know its width says 0.
    width: stdout.isTTY ? stdout.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    read: stdout.isTTY === true,
    watched: stderr.isTTY === true,
    progress: (label, isPatient) => progressOn(stderr, label, isPatient),
  }
}
