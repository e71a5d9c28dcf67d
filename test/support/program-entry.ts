import { fileURLToPath } from 'node:url'

/** The command of a clone, which runs its sources. */
export const entry = fileURLToPath(new URL('../../bin/mfano.js', import.meta.url))
