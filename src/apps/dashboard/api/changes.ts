import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'

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
