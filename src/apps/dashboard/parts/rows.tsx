import { Box, Group, Table, type TableProps, UnstyledButton } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { must } from '../../../core/model/must.ts'
import { useFilters } from '../api/address.ts'
import { Dim, ErrorNote, NoMatch, WaitingNote } from './notes.tsx'
import classes from './rows.module.css'

export interface RowColumn<Row> {
  title: string
  /** For `grid-template-columns`. One that begins with `minmax` shares a card's line with others, under its title. */
  width: string
  cell(row: Row): ReactNode
  sort?(row: Row): number | string
  right?: boolean
}

export interface RowsProps<Page, Row> {
  label: string
  columns: readonly RowColumn<Row>[]
  of: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsOf(page: Page): readonly Row[]
  keyOf(row: Row): string | number
  open?(row: Row): string | null | (() => void)
  empty: ReactNode
  isFiltered?: boolean
  total?: number | undefined
}

const ROW_PX = 44
const AHEAD = 30
/** Only what is loaded can be sorted, so that much is loaded first. */
const SORTED_MOST = 2_000

/** Draws only visible rows, because lists can have millions. */
export function Rows<Page, Row extends object>(props: RowsProps<Page, Row>) {
  const { label, columns, of, rowsOf, keyOf, open, empty, isFiltered, total } = props
  const frame = useRef<HTMLDivElement>(null)
  const top = useTop(frame)
  const [{ sort }, setSort] = useFilters('sort')
  const loaded = useMemo(() => of.data?.pages.flatMap(rowsOf) ?? [], [of.data, rowsOf])
  const rows = useMemo(() => sorted(loaded, columns, sort), [loaded, columns, sort])
  const cellsOf = useCells(columns, open)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => keyOf(must(rows[i])),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, dataUpdatedAt } = of
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again where loading anew took its place unseen
  useEffect(() => {
    const isWanted = last >= rows.length - AHEAD || (sort !== '' && rows.length < SORTED_MOST)
    if (hasNextPage && !isFetching && isWanted) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage, dataUpdatedAt, last, rows.length, sort])

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
        <div className={classes['head']} role="rowgroup">
          <div className={classes['row']} role="row">
            {columns.map(({ title, right, sort: by }) => (
              <div key={title} role="columnheader" data-right={right} aria-sort={by && ariaSort(title, sort)}>
                {by ? (
                  <UnstyledButton className={classes['sort']} onClick={() => setSort({ sort: nextSort(title, sort) })}>
                    {title} {ARROWS[ariaSort(title, sort)]}
                  </UnstyledButton>
                ) : (
                  title
                )}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start, key }) => {
            const row = must(rows[index])
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                className={`${classes['row']} ${classes['body']} ${open?.(row) ? 'row-link' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${start}px)` }}
                data-index={index}
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
          {sort !== '' && hasNextPage && ', sorted among these'}
        </Dim>
      </Group>
    </Box>
  )
}

const ARROWS = { ascending: '↑', descending: '↓', none: '↕' }

function ariaSort(title: string, sort: string): keyof typeof ARROWS {
  if (sort === title) return 'ascending'
  return sort === `-${title}` ? 'descending' : 'none'
}

function nextSort(title: string, now: string): string {
  if (now === `-${title}`) return title
  return now === title ? '' : `-${title}`
}

function sorted<Row>(rows: Row[], columns: readonly RowColumn<Row>[], sort: string): Row[] {
  const by = columns.find(({ title }) => title === sort.replace('-', ''))?.sort
  if (!by) return rows
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => sign * (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0))
}

/** Remembered, because each frame of a scroll draws the table again, and nearly all rows are the same then. */
function useCells<Row extends object>(columns: readonly RowColumn<Row>[], open: RowsProps<unknown, Row>['open']) {
  const opening = useRef(open)
  opening.current = open
  return useMemo(() => {
    const drawn = new WeakMap<Row, ReactNode>()
    return (row: Row) => {
      const cells =
        drawn.get(row) ??
        columns.map(({ title, width, cell, right }, i) => (
          <div key={title} role="cell" data-title={width.startsWith('minmax') ? title : undefined} data-right={right}>
            {i === 0 ? <Opening of={opening.current?.(row)}>{cell(row)}</Opening> : cell(row)}
          </div>
        ))
      drawn.set(row, cells)
      return cells
    }
  }, [columns])
}

/** It covers its row, so that the whole row is a link. */
function Opening({ of, children }: { of: string | null | undefined | (() => void); children: ReactNode }) {
  if (!of) return children
  return typeof of === 'string' ? (
    <Link href={of} className={classes['opening']}>
      {children}
    </Link>
  ) : (
    <UnstyledButton onClick={of} className={classes['opening']}>
      {children}
    </UnstyledButton>
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
    <div className={classes['lines']}>
      <div>{first}</div>
      {second !== undefined && <div>{second}</div>}
    </div>
  )
}

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
