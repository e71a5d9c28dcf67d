/** Keeps the draft of a scenario when somebody leaves or reloads the page. */
import { useCallback, useState } from 'react'
import { worldUrl } from '../api/client.ts'

const key = `mfano-draft ${worldUrl}`

/** Starts with the kept draft. A draft that equals the scenario in force is not kept. */
export function useDraft(inForce: string): [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? inForce)
  const write = useCallback(
    (written: string) => {
      setText(written)
      if (written === inForce) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, written)
    },
    [inForce],
  )
  return [text, write]
}

export function forgetDraft(): void {
  sessionStorage.removeItem(key)
}
