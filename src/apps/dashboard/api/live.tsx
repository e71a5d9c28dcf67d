import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { DomainEvent } from '../../../client/control.ts'
import { worldUrl } from './client.ts'

export type LiveEvent = { id: string } & DomainEvent

/** By the first word of an event's type: which queries to load again. */
const stale: Record<string, readonly string[]> = {
  payment: ['payments', 'payment', 'statistics', 'wallets', 'ledger', 'hits', 'clock', 'phones'],
  callback: ['callbacks', 'callback', 'payment', 'statistics', 'clock'],
  request: ['requests', 'statistics', 'hits', 'organisations'],
  inbox: ['inbox', 'messages'],
  clock: ['clock'],
  scenario: ['scenario', 'hits', 'clock'],
  wallet: ['wallets', 'ledger'],
}
const everything = [...new Set(Object.values(stale).flat())]

/** Events tell when such queries are out of date. Others are loaded again when they are shown. */
export function isFollowed(query: string): boolean {
  return everything.includes(query)
}

const KEPT = 100
/** Milliseconds. A busy world must not redraw the page for each event, but is followed without an end to its events. */
const GATHER_MS = 150
const GATHER_AT_MOST_MS = 450

interface LiveState {
  connected: boolean
  isLost: boolean
  feed: readonly LiveEvent[]
}
const NOT_YET: LiveState = { connected: false, isLost: false, feed: [] }
const LiveContext = createContext<LiveState>(NOT_YET)

export function useLive(): LiveState {
  return useContext(LiveContext)
}

export function Live({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState(NOT_YET)
  const gathered = useRef<LiveEvent[]>([])
  const takeIn = useDebouncedCallback(
    () => {
      const came = gathered.current.splice(0)
      setState(({ feed }) => ({ connected: true, isLost: false, feed: [...came.reverse(), ...feed].slice(0, KEPT) }))
      const keys = new Set(came.flatMap(({ type }) => stale[type] ?? everything))
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] })
    },
    { delay: GATHER_MS, maxWait: GATHER_AT_MOST_MS, flushOnUnmount: false },
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
      setState((before) => ({ ...before, connected: true, isLost: false }))
      // The first connection does not replay what happened before it.
      void queries.invalidateQueries()
    }
    source.onerror = () =>
      setState((before) => ({ ...before, connected: false, isLost: before.isLost || before.connected }))
    return () => source.close()
  }, [queries, takeIn])

  return <LiveContext value={state}>{children}</LiveContext>
}
