import { test } from 'vitest'
import { dayOrNight } from '../../support/night.ts'
import { expectSurvives } from './fuzz.ts'

const REQUESTS = dayOrNight(2000, 230_000)

test(
  `${REQUESTS} requests that nobody would write are answered, and no money is gone`,
  { timeout: 60_000 + REQUESTS * 20 },
  () => expectSurvives(REQUESTS, 9),
)
