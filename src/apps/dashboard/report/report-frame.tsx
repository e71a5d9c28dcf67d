/** A report as mfano prints it, in the page's colours. */
import { Card, useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { WaitingNote } from '../parts/notes.tsx'

export function ReportFrame({ address, frame }: { address: string; frame?: RefObject<HTMLIFrameElement | null> }) {
  const theme = useComputedColorScheme('light')
  const own = useRef<HTMLIFrameElement>(null)
  const ref = frame ?? own
  const [height, setHeight] = useState(0)
  const [loaded, setLoaded] = useState(0)
  useEffect(() => {
    const printed = loaded > 0 ? ref.current?.contentDocument : undefined
    if (!printed) return
    // Its links are of the dashboard.
    printed.head.appendChild(printed.createElement('base')).target = '_top'
    printed.documentElement.dataset['theme'] = theme
    setHeight(printed.documentElement.scrollHeight)
  }, [ref, loaded, theme])
  return (
    <Card withBorder p={0}>
      {loaded === 0 && <WaitingNote />}
      <iframe
        ref={ref}
        title="Report"
        src={address}
        height={height}
        width="100%"
        style={{ border: 0, display: 'block' }}
        onLoad={() => setLoaded((times) => times + 1)}
        data-testid="report"
      />
    </Card>
  )
}
