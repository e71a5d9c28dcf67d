declare module 'autocannon' {
  interface Running {
    /** Told of each answer. */
    on(event: 'response', told: (client: unknown, status: number, bytes: number, tookMs: number) => void): this
  }
  /** One connection. */
  export interface Client {
    setHeaders(headers: Record<string, string>): void
  }
  export default function autocannon(options: object): Running &
    Promise<{
      '2xx': number
      non2xx: number
      errors: number
      duration: number
      statusCodeStats: Record<string, { count: number }>
    }>
}
