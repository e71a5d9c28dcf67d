/** Whether a callback's signature is valid. */
export const signatureStates = ['valid', 'none', 'incomplete', 'stale', 'old-secret', 'wrong'] as const
export type SignatureState = (typeof signatureStates)[number]
