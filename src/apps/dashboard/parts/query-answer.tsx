/** What stands for an answer that is awaited, refused or there. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNote, Waiting } from './notes.tsx'

/** What a question was answered: waiting, refused in words, or there. */
export function Answer<T>({ of, children }: { of: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  return <Waiting />
}
