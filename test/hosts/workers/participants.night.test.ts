/** Programs that take part in the clock of a world that is a Durable Object. */
import { describe } from 'vitest'
import { onWorkers } from './on-workers.ts'

describe.each(['core/clock/participants', 'apps/clock/clock'])('%s', onWorkers)
