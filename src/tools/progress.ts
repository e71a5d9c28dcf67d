/** A bar for work that takes its time: one line that is drawn again and again, and gone when the work is done. */
import type { WriteStream } from 'node:tty'

const BAR_COLUMNS = 24
const CLEAR_LINE = '\r\u001b[K'

export interface Progress {
  /** How far it is, from 0 to 1, and where. */
  at(fraction: number, note?: string): void
  /** Takes the bar away. Safe to call twice. */
  end(): void
}

/** Draws on a terminal, and nothing anywhere else, so that no file ever holds half a bar. */
export function progressOn(stream: WriteStream, label: string): Progress {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return { at: () => {}, end: () => {} }
  let drawn = ''
  return {
    at: (fraction, note = '') => {
      const line = progressLine(label, fraction, note).slice(0, stream.columns - 1)
      if (line !== drawn) stream.write(CLEAR_LINE + line)
      drawn = line
    },
    end: () => {
      if (drawn !== '') stream.write(CLEAR_LINE)
      drawn = ''
    },
  }
}

/** `advancing  ████████░░░░░░░░░░░░░░░░  33%  2025-01-25T04:12:00`. */
function progressLine(label: string, fraction: number, note: string): string {
  const done = Math.max(0, Math.min(1, fraction))
  const full = Math.round(done * BAR_COLUMNS)
  const bar = '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full)
  return `${label}  ${bar}  ${String(Math.floor(done * 100)).padStart(3)}%${note === '' ? '' : `  ${note}`}`
}
