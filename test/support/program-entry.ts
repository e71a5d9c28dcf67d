import { fileURLToPath } from 'node:url'

/** What somebody starts in a clone: its sources, bundled, in less than half the time that the files one by one take. */
export const entry = fileURLToPath(new URL('../../bin/mfano.js', import.meta.url))
