/** Tables of any length. */
import { Box, Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { must } from '../../../core/model/must.ts'
import { Dim } from './dim.tsx'
import { ErrorNote, NoMatch, WaitingNote } from './notes.tsx'
import classes from './rows.module.css'

export interface RowColumn<Row> {
  title: string
  /** For `grid-template-columns`: `minmax(8rem, 2fr)`. */
  width: string
  cell(row: Row): ReactNode
  right?: boolean
}

export interface NarrowRow {
  lead: ReactNode
  figure?: ReactNode
  under?: ReactNode
  badge?: ReactNode
}

interface RowsProps<Page, Row> {
  label: string
  columns: readonly RowColumn<Row>[]
  narrow(row: Row): NarrowRow
  of: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsOf(page: Page): readonly Row[]
  keyOf(row: Row): string | number
  open?(row: Row): void
  empty: ReactNode
  /** An empty list is then one that nothing matches. */
  isFiltered?: boolean
  total?: number | undefined
}

const ROW_PX = 44
const NARROW_ROW_PX = 60
const NARROW = '(max-width: 48em)'
const AHEAD = 30

/** Draws only visible rows, because lists can have millions. */
export function Rows<Page, Row extends object>(props: RowsProps<Page, Row>) {
  const { label, columns, narrow, of, rowsOf, keyOf, open, empty, isFiltered, total } = props
  const frame = useRef<HTMLDivElement>(null)
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const rowPx = isNarrow ? NARROW_ROW_PX : ROW_PX
  const top = useTop(frame)
  const rows = useMemo(() => of.data?.pages.flatMap(rowsOf) ?? [], [of.data, rowsOf])
  const cellsOf = useCells(columns, narrow, isNarrow)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: (i) => keyOf(must(rows[i])),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height makes what was measured wrong
  useEffect(() => virtual.measure(), [virtual, rowPx])
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage, dataUpdatedAt } = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again where loading anew took its place unseen
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - AHEAD) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, dataUpdatedAt, last, rows.length])

  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  if (!of.data) return <WaitingNote />
  if (rows.length === 0) return isFiltered ? <NoMatch of={label.toLowerCase()} /> : empty
  const look: React.CSSProperties & Record<`--${string}`, string> = {
    '--columns': columns.map(({ width }) => width).join(' '),
    '--top': `${top}px`,
  }

  return (
    <Box style={look}>
      <div
        ref={frame}
        className={classes['frame']}
        role="table"
        aria-label={label}
        aria-rowcount={total ?? (hasNextPage ? -1 : rows.length)}
        tabIndex={0}
      >
        {!isNarrow && (
          <div className={classes['head']} role="rowgroup">
            <div className={classes['row']} role="row">
              {columns.map(({ title, right }) => (
                <div key={title} role="columnheader" data-right={right}>
                  {title}
                </div>
              ))}
            </div>
          </div>
        )}
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start, key }) => {
            const row = must(rows[index])
            return (
              <div
                key={key}
                className={`${classes[isNarrow ? 'narrow' : 'row']} ${classes['body']} ${open ? 'row-link' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                tabIndex={open ? 0 : undefined}
                onClick={open && (() => open(row))}
                onKeyDown={open && (({ key }) => key === 'Enter' && open(row))}
                style={{ transform: `translateY(${start}px)`, height: rowPx }}
                data-testid="row"
              >
                {cellsOf(row)}
              </div>
            )
          })}
        </div>
      </div>
      <Group justify="flex-end" mt={4}>
        <Dim size="xs" role="status">
          {isFetchingNextPage
            ? 'Loading more…'
            : `${rows.length.toLocaleString('en-GB')}${total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`} loaded`}
        </Dim>
      </Group>
    </Box>
  )
}

/** Remembered, because each frame of a scroll draws the table again, and nearly all rows are the same then. */
function useCells<Row extends object>(
  columns: readonly RowColumn<Row>[],
  narrow: (row: Row) => NarrowRow,
  isNarrow: boolean,
) {
  return useMemo(() => {
    const drawn = new WeakMap<Row, ReactNode>()
    return (row: Row) => {
      const cells =
        drawn.get(row) ??
        (isNarrow ? (
          <Narrow row={narrow(row)} />
        ) : (
          columns.map(({ title, cell, right }) => (
            <div key={title} role="cell" data-right={right}>
              {cell(row)}
            </div>
          ))
        ))
      drawn.set(row, cells)
      return cells
    }
  }, [columns, narrow, isNarrow])
}

function Narrow({ row: { lead, figure, under, badge } }: { row: NarrowRow }) {
  return (
    <>
      <div role="cell" className={classes['said']}>
        <div className={classes['line']}>{lead}</div>
        <div className={classes['under']}>{under}</div>
      </div>
      <div role="cell" className={classes['ends']}>
        <div>{figure}</div>
        <div>{badge}</div>
      </div>
    </>
  )
}

/** In pixels; measured again, because what is above may change. */
function useTop(of: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const box = of.current?.getBoundingClientRect()
    if (box) setTop(Math.round(box.top + scrollY))
  })
  return top
}

export function TwoLines({ first, second }: { first: string; second?: string }) {
  return (
    <div title={second === undefined ? first : `${first}\n${second}`} className={classes['lines']}>
      <div>{first}</div>
      {second !== undefined && <div>{second}</div>}
    </div>
  )
}
