/** Questions that several pages ask the control plane. */
import { queryOptions } from '@tanstack/react-query'
import { world } from './client.ts'

/** World time: mode, now, what is next due. */
export const clockQuery = queryOptions({ queryKey: ['clock'], queryFn: () => world('GET', '/clock') })
/** The kinds of payment that the service has. */
export const kindsQuery = queryOptions({ queryKey: ['kinds'], queryFn: () => world('GET', '/kinds') })
/** The scenario in force. */
export const scenarioQuery = queryOptions({ queryKey: ['scenario'], queryFn: () => world('GET', '/scenario') })
/** Counts for the overview and its charts. */
export const statisticsQuery = queryOptions({ queryKey: ['statistics'], queryFn: () => world('GET', '/statistics') })
/** Scenarios that are shipped, with their text. */
export const shippedQuery = queryOptions({ queryKey: ['scenarios'], queryFn: () => world('GET', '/scenarios') })
