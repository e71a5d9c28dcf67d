/** State of a bubble that asks something. */
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { useId } from 'react'

const OPENED = 'mfano-bubble-opened'

/**
 * Only one bubble is open at a time. Escape is handled for the whole page, because the bubble gets the focus a moment
 * after it opens.
 */
export function useBubble(): { asked: boolean; open(): void; close(): void } {
  const id = useId()
  const [asked, { open, close }] = useDisclosure()
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
  useWindowEvent(OPENED, (event) => {
    if (event.detail !== id) close()
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
