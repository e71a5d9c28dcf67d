import { test } from 'vitest'
import { expectSurvives } from './fuzz.ts'

// MFANO_FUZZ_REQUESTS=230000 does it for some minutes, MFANO_FUZZ_SEED with others.

const REQUESTS = Number(process.env['MFANO_FUZZ_REQUESTS'] ?? 4000)
const SEED = Number(process.env['MFANO_FUZZ_SEED'] ?? 9)

test(
  `${REQUESTS} requests that nobody would write are answered, and no money is gone`,
  {
    timeout: 60_000 + REQUESTS * 20,
  },
  () => expectSurvives(REQUESTS, SEED),
)
