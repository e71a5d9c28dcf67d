declare module 'autocannon' {
  export default function autocannon(
    options: object,
  ): Promise<{ errors: number; statusCodeStats: Record<string, { count: number }>; latency: { p99: number } }>
}
