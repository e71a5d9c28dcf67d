// Packages of test/package.json are there once somebody asked for them. Without them, `npx tsc` takes what they export
// for `any`; CI has them. A pattern counts only where no package is found.
declare module '@arethetypeswrong/*'
declare module '@hey-api/*'
declare module '@jest/*'
declare module '@opentelemetry/*'
declare module '@redocly/*'
declare module '@sparticuz/*'
declare module '@stoplight/*'
declare module 'openapi-typescript*'
declare module 'publint*'
declare module 'testcontainers*' {
  // biome-ignore lint/suspicious/noExplicitAny: as the packages above are
  type Any = any
  // Subclasses need to know what they override.
  export class GenericContainer {
    constructor(image: string)
    start(): Promise<Any>
    [member: string]: Any
  }
  export class AbstractStartedContainer {
    constructor(started: StartedTestContainer)
    [Symbol.asyncDispose](): Promise<void>
    [member: string]: Any
  }
  export type StartedTestContainer = Any
  export const Wait: Any
}
