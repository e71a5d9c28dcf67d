/** Shows the answer of a query, its error, or that it is loading. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNote, WaitingNote } from './notes.tsx'

export function QueryAnswer<T>({ of, children }: { of: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  return <WaitingNote />
}
