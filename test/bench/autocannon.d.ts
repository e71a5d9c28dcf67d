declare module 'autocannon' {
  export default function autocannon(options: object): Promise<{
    '2xx': number
    non2xx: number
    errors: number
    duration: number
    statusCodeStats: Record<string, { count: number }>
  }>
}
