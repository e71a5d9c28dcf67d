/**
 * Facts about a service besides fields and their constraints: refusals, headers, defaults, order of checks, guesses.
 */
import type { Basis, Ground, Source } from './basis.ts'

export const factSubjects = [
  'order',
  'refusal',
  'code',
  'answer header',
  'callback header',
  'default',
  'guess',
] as const

export interface Fact {
  about: (typeof factSubjects)[number]
  name: string
  value: string
  meaning: string
  /** `own`: part of mfano or HTTP, so merchants must not rely on it. */
  basis: Basis | 'own'
  source: string | null
  assumption: string | null
  byScenario: boolean
}

export function factOf(
  { ground, source = null }: { ground: Ground; source?: string | null },
  fact: Pick<Fact, 'about' | 'name' | 'value' | 'meaning'>,
): Fact {
  const { about, name, value, meaning } = fact
  const known = { about, name, value, meaning }
  if (ground === 'specified' || ground === 'published' || ground === 'own')
    return { ...known, basis: ground as Source | 'own', source, assumption: null, byScenario: false }
  if (ground === 'guess') return { ...known, basis: 'assumed', source: null, assumption: null, byScenario: false }
  const byScenario = ground === 'scenario'
  return { ...known, basis: 'assumed', source, assumption: byScenario ? null : ground, byScenario }
}
