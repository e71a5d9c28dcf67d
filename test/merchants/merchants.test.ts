import { it } from 'vitest'
import { expectPass, longest } from './suites.ts'

it('pass, all tests beside each other', ({ skip }) => expectPass(1, skip), longest(1))
