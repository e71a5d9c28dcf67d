/** A bubble that asks something. */
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { useId } from 'react'

const OPENED = 'mfano-bubble-opened'

/**
 * Whether it is open. Another one that opens closes it, so that one thing is asked at a time; and so does Escape, wherever
 * the focus is: the bubble gets that only a moment after it opens.
 */
export function useBubble(): { asked: boolean; open(): void; close(): void } {
  const id = useId()
  const [asked, { open, close }] = useDisclosure()
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
  useWindowEvent(OPENED, (event) => {
    if ((event as CustomEvent<string>).detail !== id) close()
  })
  return {
    asked,
    open: () => {
      dispatchEvent(new CustomEvent(OPENED, { detail: id }))
      open()
    },
    close,
  }
}
