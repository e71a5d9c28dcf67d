/** What the palette can do. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { navigate } from '../api/address.ts'
import { world, worldUrl } from '../api/client.ts'
import type { PaletteEntry } from './palette-entry.ts'

const SPANS = ['10s', '1m', '1h', '1d'] as const
/** `advance 3h`, `+90s`. */
const ADVANCE = /^(?:advance|move|\+)\s*(?:the )?(?:clock )?(?:by )?((?:\d+(?:\.\d+)?(?:ms|[smhdw]))+)$/i

/** The light or dark look, told apart from how it is kept. */
export interface Scheme {
  dark: boolean
  set(scheme: 'light' | 'dark'): void
}

/** Actions by name; `done` is told what came of one, or why it was refused. */
export function useActions(scheme: Scheme, done: (what: Promise<string>) => void): (typed: string) => PaletteEntry[] {
  const queries = useQueryClient()
  const advance = (span: string): PaletteEntry => ({
    key: `advance ${span}`,
    label: `Advance the clock by ${span}`,
    choose: () => done(after(queries, world('POST', '/clock/advance', { body: { by: span } }), `Advanced by ${span}`)),
  })
  const go = (label: string, to: string): PaletteEntry => ({ key: label, label, choose: () => navigate(to) })
  const mode = (label: string, to: 'frozen' | 'realtime'): PaletteEntry => ({
    key: label,
    label,
    choose: () => done(after(queries, world('PATCH', '/clock', { body: { mode: to } }), label)),
  })
  const all = [
    go('Send a payment', '/send'),
    go('New world', '/worlds'),
    {
      key: 'settle',
      label: 'Run until idle',
      detail: 'move the clock until nothing is pending',
      choose: () => done(after(queries, world('POST', '/clock/settle'), 'Ran until idle')),
    },
    ...SPANS.map(advance),
    mode('Freeze the clock', 'frozen'),
    mode('Let the clock go in real time', 'realtime'),
    {
      key: 'theme',
      label: scheme.dark ? 'Switch to the light theme' : 'Switch to the dark theme',
      choose: () => scheme.set(scheme.dark ? 'light' : 'dark'),
    },
    {
      key: 'snapshot',
      label: 'Save a snapshot of this world',
      choose: () => done(after(queries, world('POST', '/snapshots', { body: {} }), 'Saved a snapshot')),
    },
    {
      key: 'base url',
      label: 'Copy the base URL',
      detail: worldUrl,
      choose: () => done(navigator.clipboard.writeText(worldUrl).then(() => 'Copied the base URL')),
    },
  ]
  return (typed) => {
    const span = ADVANCE.exec(typed.trim())?.[1]
    return span !== undefined && !SPANS.some((one) => one === span) ? [advance(span), ...all] : all
  }
}

async function after(queries: QueryClient, asked: Promise<unknown>, what: string): Promise<string> {
  await asked
  await queries.invalidateQueries()
  return what
}
