import { test } from 'vitest'
import { expectSurvives } from './fuzz.ts'

test('a few hundred requests that nobody would write are answered, and no money is gone', () => expectSurvives(400, 10))
