/** A draft of a scenario that survives leaving its page, and loading it anew. */
import { useCallback, useState } from 'react'
import { worldUrl } from '../api/client.ts'

const key = `mfano-draft ${worldUrl}`

/** What is written, beginning with the draft that was left behind; nothing is kept of what equals the one in force. */
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

/** It is in force now, or given up. */
export function forgetDraft(): void {
  sessionStorage.removeItem(key)
}
