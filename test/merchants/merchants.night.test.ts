import { it } from 'vitest'
import { dayOrNight } from '../support/night.ts'
import { expectPass, longest } from './suites.ts'

const ROUNDS = dayOrNight(1, 20)

it('pass, all tests beside each other', ({ skip }) => expectPass(ROUNDS, skip), longest(ROUNDS))
