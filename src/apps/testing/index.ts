/** mfano for tests: a server in this process or elsewhere, a world for each test, and a typed client of the service. */

export type * from '../../client/control.ts'
export { MfanoError } from '../../client/errors.ts'
export type * from '../../client/service.gen.ts'
export { ServiceClient } from '../../client/service.gen.ts'
export { type CallOptions, type Envelope, type ServiceAnswer, ServiceError } from '../../client/service-client.ts'
export { type Coverage, mergeCoverage } from '../../inspect/coverage.ts'
export { connectMfano, type Mfano, START } from './mfano.ts'
export { type StartOptions, startMfano } from './start.ts'
export type { BooksLine, ReconcileOptions, TestWorld } from './test-world.ts'
export type { WorldOptions } from './world-options.ts'
