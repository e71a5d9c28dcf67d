/** mfano for tests: a server in this process or elsewhere, a world for each test, and a typed client of the service. */
export { MfanoError } from './errors.ts'
export { connectMfano, type Mfano, START, type WorldOptions } from './mfano.ts'
export type * from './service.gen.ts'
export { ServiceClient } from './service.gen.ts'
export { type CallOptions, type Envelope, type ServiceAnswer, ServiceError } from './service.ts'
export type * from './shapes.ts'
export { type StartOptions, startMfano } from './start.ts'
export type { TestWorld } from './world.ts'
