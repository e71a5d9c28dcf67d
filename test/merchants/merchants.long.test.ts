import { it } from 'vitest'
import { expectPass, longest } from './suites.ts'

const ROUNDS = 5

it(`pass ${ROUNDS} times, all tests beside each other`, ({ skip }) => expectPass(ROUNDS, skip), longest(ROUNDS))
