/** A bar for work that takes its time: one line that is drawn again and again, and gone when the work is done. */
import type { WriteStream } from 'node:tty'

const USUAL_WIDTH = 80
const BAR_COLUMNS = 24
/** The exit code of whoever is stopped by Ctrl-C. */
const INTERRUPTED = 130
const CLEAR_LINE = '\r\u001b[K'

export interface ProgressLine {
  /** How far it is, from 0 to 1, and where; undefined where nobody can say how far. */
  at(fraction: number | undefined, note?: string): void
  /** Takes the bar away. Safe to call twice. */
  end(): void
}

/**
 * Draws on a terminal, and nothing anywhere else, so that no file ever holds half a bar. `isPatient`: whoever is
 * interrupted ends by itself, and keeps what it has.
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

/** `advancing  ████████░░░░░░░░░░░░░░░░  33%  2025-01-25T04:12:00`. */
function progressLine(label: string, fraction: number | undefined, note: string): string {
  if (fraction === undefined) return `${label}  ${note}`
  const done = Math.max(0, Math.min(1, fraction))
  const full = Math.round(done * BAR_COLUMNS)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full)
  return `${label}  ${bar}  ${String(Math.floor(done * 100)).padStart(3)}%${note === '' ? '' : `  ${note}`}`
}
