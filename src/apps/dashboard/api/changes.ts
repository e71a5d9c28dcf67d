/** Changes to a world, and lists of it by pages, as screens ask for them. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'

/** After a change everything that is shown is loaded again. */
export function useChange<Answer, Given = void>(
  act: (given: Given) => Promise<Answer>,
  then?: (answer: Answer, given: Given) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer, given) => {
      await queries.invalidateQueries()
      then?.(answer, given)
    },
  })
}

/** For forms: without loading the page anew. */
export function submitting(act: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    act()
  }
}

interface Page {
  next: number | null
}

/** Rows of a page. */
const PAGE = 200
const FIRST_PAGE: number | null = null

/** `read` is given what most lists are asked for a page by, and where the page begins. */
export function usePages<Answer extends Page>(
  queryKey: readonly unknown[],
  read: (page: { limit: number; before?: number }, from: number | null) => Promise<Answer>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: from }) => read({ limit: PAGE, ...(from !== null && { before: from }) }, from),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
  })
}
