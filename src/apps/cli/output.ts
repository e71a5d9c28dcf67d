/** Where a command writes, and what the reader of it can show. */
import { styleText } from 'node:util'
import { type ProgressLine, progressOn } from './progress.ts'

const USUAL_WIDTH = 80

/** Colours a text, or leaves it alone. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export interface Output {
  /** The answer. */
  out(text: string): void
  /** What is to be known besides. */
  error(text: string): void
  paint: Paint
  /** Columns that a line of the answer may have; infinite where no person reads it. */
  width: number
  /** A person reads the answer as it comes. */
  read: boolean
  /** A person watches while it goes on. */
  watched: boolean
  /** Shows that something goes on until it is done, to a person who watches. */
  progress(label: string, isPatient?: boolean): ProgressLine
}

/** The output of this process. Colours are Node's own decision, which knows NO_COLOR, FORCE_COLOR and what the terminal can do. */
export function processOutput(): Output {
  const { stdout, stderr } = process
  // The reader of our output may go away, as in `mfano payment list | head`.
  stdout.on('error', () => {})
  return {
    out: (text) => stdout.write(text),
    error: (text) => stderr.write(`mfano: ${text}\n`),
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    // A terminal that does not know its width says 0.
    width: stdout.isTTY ? stdout.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY,
    read: stdout.isTTY === true,
    watched: stderr.isTTY === true,
    progress: (label, isPatient) => progressOn(stderr, label, isPatient),
  }
}
