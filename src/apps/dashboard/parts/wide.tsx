/** A frame for content that may be wider than the window. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

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
