import { queryOptions } from '@tanstack/react-query'
import { body, world } from './client.ts'

/** World time: mode, now, what is next due. */
export const clockQuery = queryOptions({ queryKey: ['clock'], queryFn: () => body(world.clock.$get()) })
/** The kinds of payment that the service has. */
export const kindsQuery = queryOptions({ queryKey: ['kinds'], queryFn: () => body(world.kinds.$get()) })
/** The scenario in force. */
export const scenarioQuery = queryOptions({ queryKey: ['scenario'], queryFn: () => body(world.scenario.$get()) })
/** Counts for the overview and its charts. */
export const statisticsQuery = queryOptions({ queryKey: ['statistics'], queryFn: () => body(world.statistics.$get()) })
