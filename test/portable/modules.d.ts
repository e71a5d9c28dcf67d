declare module '*.yaml' {
  const text: string
  export default text
}
declare module 'cloudflare:workers' {
  export class DurableObject {
    constructor(state: unknown, env: unknown)
    fetch(request: Request): Response | Promise<Response>
    alarm(): Promise<void>
  }
}
