/** What is known of a service besides its fields and their constraints: refusals, headers, defaults, the order of checks, guesses. */
import type { Basis, Ground, Source } from './basis.ts'

/** What facts are about, in the order in which they are told. */
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
  /** What it is called: a code, a header, the name of a default. */
  name: string
  value: string
  meaning: string
  /** `own`: of mfano or of HTTP itself, and nothing that a merchant may rely on. */
  basis: Basis | 'own'
  /** Where a source shows it; null where none does. */
  source: string | null
  /** The assumption that decides it; null where none does, as of a guess without alternatives. */
  assumption: string | null
  /** Whether a setting of the scenario decides it. */
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
