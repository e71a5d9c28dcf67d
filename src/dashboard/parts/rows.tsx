/** Tables of any length. */
import { Box, Group, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { ErrorNote, Waiting } from './notes.tsx'
import classes from './rows.module.css'

/** A column: its title, its share of the width, what stands in it. */
export interface RowColumn<Row> {
  title: string
  /** For `grid-template-columns`, such as `minmax(8rem, 2fr)`. */
  width: string
  cell(row: Row): ReactNode
  /** Left out on narrow screens. */
  wide?: boolean
  right?: boolean
}

interface RowsProps<Page, Row> {
  label: string
  columns: readonly RowColumn<Row>[]
  of: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsOf(page: Page): readonly Row[]
  keyOf(row: Row): string | number
  /** What a row leads to. */
  open?(row: Row): void
  empty: ReactNode
  /** Known beforehand, where the server counts. */
  total?: number | undefined
}

const ROW_PX = 44
/** Further pages are asked for when so few loaded rows are left below. */
const AHEAD = 30

/** A table of any length: only the rows in sight are drawn, and further ones are asked for on the way down. */
export function Rows<Page, Row>({ label, columns, of, rowsOf, keyOf, open, empty, total }: RowsProps<Page, Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = of.data?.pages.flatMap(rowsOf) ?? []
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => keyOf(rows[i] as Row),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = of
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - AHEAD) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length])

  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  if (!of.data) return <Waiting />
  if (rows.length === 0) return empty
  const template = {
    '--wide': columns.map(({ width }) => width).join(' '),
    '--narrow': columns
      .filter(({ wide }) => !wide)
      .map(({ width }) => width)
      .join(' '),
  } as React.CSSProperties
  const press = (row: Row) => (event: KeyboardEvent) => {
    if (event.key === 'Enter') open?.(row)
  }

  return (
    <Box style={template}>
      <div
        ref={frame}
        className={classes['frame']}
        role="table"
        aria-label={label}
        aria-rowcount={total ?? (hasNextPage ? -1 : rows.length)}
        tabIndex={0}
      >
        <div className={classes['head']} role="rowgroup">
          <div className={classes['row']} role="row">
            {columns.map(({ title, wide, right }) => (
              <div key={title} role="columnheader" data-wide={wide} data-right={right}>
                {title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index] as Row
            return (
              <div
                key={key}
                className={`${classes['row']} ${classes['body']} ${open ? 'row-link' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                tabIndex={open ? 0 : undefined}
                onClick={open && (() => open(row))}
                onKeyDown={open && press(row)}
                style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
                data-testid="row"
              >
                {columns.map(({ title, cell, wide, right }) => (
                  <div key={title} role="cell" data-wide={wide} data-right={right}>
                    {cell(row)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      <Group justify="flex-end" mt={4}>
        <Text size="xs" c="dimmed" role="status">
          {isFetchingNextPage
            ? 'Loading more…'
            : `${rows.length.toLocaleString('en-GB')}${total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`} loaded`}
        </Text>
      </Group>
    </Box>
  )
}

/** A cell whose second line says more of the first; both are cut at its edge, and whole when pointed at. */
export function TwoLines({ first, second }: { first: string; second?: string }) {
  return (
    <div title={second === undefined ? first : `${first}\n${second}`} className={classes['lines']}>
      <div>{first}</div>
      {second !== undefined && <div>{second}</div>}
    </div>
  )
}
