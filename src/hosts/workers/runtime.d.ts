// Types used here of the Workers runtime, of packages without types of their own, and of those that make the bundle
// (`install/workers-bundle.ts`).
declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    protected readonly ctx: import('./bindings.ts').ObjectState
    protected readonly env: Env
    constructor(ctx: import('./bindings.ts').ObjectState, env: Env)
    fetch(request: Request): Response | Promise<Response>
    alarm(): Promise<void>
  }
}
declare module 'sql.js' {
  export interface Statement {
    bind(values: readonly unknown[]): boolean
    step(): boolean
    getAsObject(): Record<string, unknown>
    reset(): void
  }
  export interface Database {
    prepare(text: string): Statement
    exec(script: string): unknown
    export(): Uint8Array
    close(): void
  }
  const load: (options: {
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object
  }) => Promise<{ Database: new (image?: Uint8Array) => Database }>
  export default load
}
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module 'mfano:package' {
  export const version: string
  export const scenarios: Readonly<Record<string, string>>
  export const documents: Readonly<Record<string, string>>
}
