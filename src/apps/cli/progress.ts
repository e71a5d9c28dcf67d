/** A progress bar: one line that is redrawn, and removed when the work is done. */
import type { WriteStream } from 'node:tty'

const USUAL_WIDTH = 80
const BAR_COLUMNS = 24
const INTERRUPTED = 130
const CLEAR_LINE = '\r\u001b[K'

export interface ProgressLine {
  /** `fraction` is from 0 to 1, or undefined if unknown. */
  at(fraction: number | undefined, note?: string): void
  end(): void
}

/**
 * Draws only on a terminal, so that files never contain a bar. `isPatient`: Ctrl-C does not exit, because the work
 * stops by itself and keeps its result.
 */
export function progressOn(stream: WriteStream, label: string, isPatient = false): ProgressLine {
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
      const line = progressLine(label, fraction, note).slice(0, (stream.columns || USUAL_WIDTH) - 1)
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
