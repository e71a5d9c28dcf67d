/** How a fact about the service is known; see the README's fidelity table. */
export type Basis = 'specified' | 'published' | 'assumed'

export type Source = Exclude<Basis, 'assumed'>

/**
 * `scenario`: a setting decides it. `own`: comes from mfano or from HTTP itself, so it says nothing about the service.
 * Fields rest on sources and assumptions only.
 */
export type Ground = Source | 'scenario' | 'own' | (string & {})

export interface Grounded {
  'x-basis': Basis
  'x-assumption'?: string
}

export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published') return { 'x-basis': ground }
  return { 'x-basis': 'assumed', 'x-assumption': ground }
}
