/**
 * Facts about a service besides fields and their constraints: refusals, headers, defaults, order of checks, conventions.
 */
import { type Basis, conventionIn, type Ground, type Source } from './basis.ts'

export const factSubjects = [
  'order',
  'refusal',
  'code',
  'answer header',
  'callback header',
  'default',
  'convention',
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
  convention: string | null
  byScenario: boolean
}

export function factOf(
  { ground, source = null }: { ground: Ground; source?: string | null },
  fact: Pick<Fact, 'about' | 'name' | 'value' | 'meaning'>,
): Fact {
  const { about, name, value, meaning } = fact
  const known = { about, name, value, meaning, source, assumption: null, convention: null, byScenario: false }
  if (ground === 'specified' || ground === 'published' || ground === 'own')
    return { ...known, basis: ground as Source | 'own' }
  if (ground === 'scenario') return { ...known, basis: 'assumed', byScenario: true }
  const convention = conventionIn(ground)
  return convention === undefined
    ? { ...known, basis: 'assumed', assumption: ground }
    : { ...known, basis: 'assumed', convention }
}

/** The basis of a fact as a contract prints it. */
export function groundOf({ basis, assumption, convention }: Fact) {
  return {
    'x-basis': basis,
    ...(assumption !== null && { 'x-assumption': assumption }),
    ...(convention !== null && { 'x-convention': convention }),
  }
}
