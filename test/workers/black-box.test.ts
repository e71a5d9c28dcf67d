import { describe } from 'vitest'
import { onWorkers } from './on-workers.ts'

// What is tested of the service, the control plane and the pages in a Node process, asked of Durable Objects: some of
// it here, all of it in the long tier.

describe.each(['service/send-money', 'control/control-plane'])('%s', onWorkers)
