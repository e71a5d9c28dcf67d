/** Domain events of the world, as they come. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { worldUrl } from './client.ts'

/** Something that happened in the world, as `GET /_mfano/events` tells it. */
export interface DomainEvent {
  id: string
  at: string
  type: string
  [field: string]: unknown
}

/** Which questions a domain event makes stale, by the first word of their keys. */
const stale: Record<string, readonly string[]> = {
  payment: ['payments', 'payment', 'statistics', 'wallets', 'ledger', 'hits', 'clock', 'handset'],
  callback: ['callbacks', 'callback', 'payment', 'statistics', 'clock'],
  request: ['requests', 'statistics', 'hits', 'organisations'],
  inbox: ['inbox'],
  clock: ['clock'],
  scenario: ['scenario', 'hits', 'fidelity', 'clock'],
  wallet: ['wallets', 'ledger'],
}
const everything = [...new Set(Object.values(stale).flat())]
/** So many of the newest are kept for the feed. */
const KEPT = 100
/** DomainEvents of this long are taken in together, in milliseconds: a busy world must not redraw for each. */
const GATHER_MS = 150

interface LiveState {
  connected: boolean
  feed: readonly DomainEvent[]
}
const LiveContext = createContext<LiveState>({ connected: false, feed: [] })

/** The stream of domain events: whether it flows, and what came last, newest first. */
export function useLive(): LiveState {
  return useContext(LiveContext)
}

/** Listens to the world and asks again for what changed. */
export function Live({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>({ connected: false, feed: [] })
  const gathered = useRef<DomainEvent[]>([])
  const takeIn = useDebouncedCallback(
    () => {
      const came = gathered.current.splice(0)
      setState(({ feed }) => ({ connected: true, feed: [...came.reverse(), ...feed].slice(0, KEPT) }))
      const keys = new Set(came.flatMap(({ type }) => stale[type] ?? everything))
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] })
    },
    { delay: GATHER_MS, flushOnUnmount: false },
  )

  useEffect(() => {
    const source = new EventSource(`${worldUrl}/_mfano/events?recent=50`)
    const hear = (event: MessageEvent<string>) => {
      gathered.current.push({ ...JSON.parse(event.data), type: event.type })
      takeIn()
    }
    for (const type of Object.keys(stale)) source.addEventListener(type, hear)
    source.addEventListener('gap', () => void queries.invalidateQueries())
    source.onopen = () => {
      setState((before) => ({ ...before, connected: true }))
      // What happened while nobody listened is not in the stream of a first connection.
      void queries.invalidateQueries()
    }
    source.onerror = () => setState((before) => ({ ...before, connected: false }))
    return () => source.close()
  }, [queries, takeIn])

  return <LiveContext value={state}>{children}</LiveContext>
}
