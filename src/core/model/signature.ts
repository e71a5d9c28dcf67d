/** What the signature of a callback is worth to whoever knows the secret. */
export const signatureStates = ['valid', 'none', 'incomplete', 'stale', 'old-secret', 'wrong'] as const
export type SignatureState = (typeof signatureStates)[number]
