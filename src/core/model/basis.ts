/** How a fact about the service is known; see the README's fidelity table. */
export type Basis = 'specified' | 'published' | 'assumed'

/** A source. */
export type Source = Exclude<Basis, 'assumed'>

/**
 * What rests on more than sources and assumptions, which alone decide fields: on `scenario`, where a setting of it decides;
 * on a `guess` without alternatives; or it is `own`, of mfano or of HTTP itself, and says nothing about the service.
 */
export type Ground = Source | 'scenario' | 'guess' | 'own' | (string & {})

/** How something is known, as the contract prints it; of what is assumed, the assumption that decides it. */
export interface Grounded {
  'x-basis': Basis
  'x-assumption'?: string
}

/** What rests on a source, or on the assumption of an id. */
export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published') return { 'x-basis': ground }
  return { 'x-basis': 'assumed', 'x-assumption': ground }
}
