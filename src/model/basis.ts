/** How a fact about the service is known; see the README's fidelity table. */
export type Basis = 'specified' | 'published' | 'assumed'
