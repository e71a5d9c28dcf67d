/** A table of few rows, which on a phone become lines below each other. */
import { Box, Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface SmallTableProps extends Omit<TableProps, 'data'> {
  /** One that begins with `>` stands right, as its figures do. */
  titles?: readonly string[]
  children: ReactNode
}

export function SmallTable({ titles, children, mt, ...look }: SmallTableProps) {
  return (
    <Box className="table-frame" mt={mt}>
      <Table className="lines-narrow" {...look}>
        {titles && (
          <Table.Thead>
            <Table.Tr>
              {titles.map((title) => (
                <Table.Th key={title} ta={title.startsWith('>') ? 'right' : undefined}>
                  {title.replace('>', '')}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Box>
  )
}
