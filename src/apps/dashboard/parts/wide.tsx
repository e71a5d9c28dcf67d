/** What may be wider than the window. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that may be wider than the window: it scrolls sideways, by keyboard too. */
export function Wide({ label, minWidth, children }: { label: string; minWidth: number; children: ReactNode }) {
  return (
    <Table.ScrollContainer
      className="table-frame"
      minWidth={minWidth}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
    >
      {children}
    </Table.ScrollContainer>
  )
}
