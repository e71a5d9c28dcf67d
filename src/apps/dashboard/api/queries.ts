import { queryOptions } from '@tanstack/react-query'
import { world } from './client.ts'

export const clockQuery = queryOptions({ queryKey: ['clock'], queryFn: () => world('GET', '/clock') })
export const kindsQuery = queryOptions({ queryKey: ['kinds'], queryFn: () => world('GET', '/kinds') })
export const scenarioQuery = queryOptions({ queryKey: ['scenario'], queryFn: () => world('GET', '/scenario') })
export const statisticsQuery = queryOptions({ queryKey: ['statistics'], queryFn: () => world('GET', '/statistics') })
export const shippedQuery = queryOptions({ queryKey: ['scenarios'], queryFn: () => world('GET', '/scenarios') })
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: () => world('GET', '/organisations'),
})
