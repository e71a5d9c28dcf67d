import { Button, Collapse, Drawer, Group, Select, type SelectProps, Switch, TextInput, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Fragment, type ReactNode, useCallback, useState } from 'react'
import type { ControlId, ControlRequest, OperationAnswer } from '../../../client/control.ts'
import { wholeCsv } from '../../../client/whole-csv.ts'
import { parseInZone } from '../../../core/model/calendar.ts'
import { isRecord, keysIn, must, valueAt } from '../../../core/model/must.ts'
import { titleOf } from '../../../core/model/text.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { Form } from '../../../server/operation-fields.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { anyOfServer, anyOfWorld, server, world, worldId } from '../api/client.ts'
import { isFollowed } from '../api/live.tsx'
import { pageZone } from '../api/page-zone.ts'
import { declaredLists } from '../lists.gen.ts'
import { HttpStatus, Instant, Money, Nothing, StateBadge } from './formatted.tsx'
import { type RowAction, RowMenu } from './row-menu.tsx'
import { type RowColumn, Rows, type RowsProps } from './rows.tsx'
import { Screen, SearchBox, Typed } from './screen.tsx'

interface List<Id extends ControlId> extends Filtering {
  id: Id
  asked: Pick<ControlRequest, 'path' | 'query'>
  of: UseInfiniteQueryResult<InfiniteData<OperationAnswer<Id>>>
}

interface Filtering {
  filters: Readonly<Record<string, string>>
  change(changes: Readonly<Record<string, string | null>>): void
}

const PAGE = 200
const FIRST_PAGE: number | null = null
const ENDS: Readonly<Record<string, string>> = { since: '00:00:00', until: '23:59:59.999999' }

export function useList<Id extends ControlId>(id: Id, path?: Readonly<Record<string, string>>): List<Id> {
  const declared = must(declaredLists[id])
  const [filters, change] = useFilters(...keysIn(declared.filters))
  const query = givenOf({ ...filters, ...instantsIn(filters) })
  const asked = { ...(path && { path }), query }
  const { name, isOfServer, hasPages } = declared
  const of = useInfiniteQuery({
    queryKey: [name, asked],
    queryFn: ({ pageParam: before }) =>
      (isOfServer ? anyOfServer : anyOfWorld)<OperationAnswer<Id> & { next?: number | null }>('GET', declared.path, {
        ...asked,
        query: { ...query, ...(hasPages && { limit: PAGE }), ...(before !== null && { before }) },
      }),
    ...(!isFollowed(name) && { staleTime: 0 }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
  })
  return { id, asked, of, filters, change }
}

function instantsIn(filters: Readonly<Record<string, string>>): Record<string, string> {
  const ends = keysIn(ENDS).map((name) => [name, parseInZone(`${filters[name]}T${ENDS[name]}`, pageZone())] as const)
  return Object.fromEntries(ends.map(([name, atUs]) => [name, atUs === undefined ? '' : isoInstant(atUs)]))
}

interface ListScreenProps<Id extends ControlId, Row>
  extends Omit<RowsProps<OperationAnswer<Id>, Row>, 'of' | 'label' | 'rowsOf' | 'isFiltered' | 'total'> {
  list: List<Id>
  title?: string
  about: string
  search?: string
  own?: Readonly<Record<string, ReactNode>>
  first?: readonly string[]
  actions?: ReactNode
  beside?(row: Row): { title: string; body: ReactNode }
  children?: ReactNode
}

export function ListScreen<Id extends ControlId, Row extends object>(props: ListScreenProps<Id, Row>) {
  const { list, title, about, search, own = {}, first = [], actions, beside, children, ...rows } = props
  const { id, asked, of, filters, change } = list
  const { name, filters: declared } = must(declaredLists[id])
  const others = keysIn(declared).filter((one) => one !== 'search' && !first.includes(one))
  const given = others.filter((one) => filters[one] !== '').length
  const [open, { toggle }] = useDisclosure(given > 0)
  const drawn = (one: string) => (
    <Fragment key={one}>{own[one] ?? <Filter list={list} name={one} choices={must(declared[one])} />}</Fragment>
  )
  const [opened, setOpened] = useState<string | number>()
  const rowsOf = useRowsOf<Id, Row>(id)
  const row =
    opened === undefined ? undefined : of.data?.pages.flatMap(rowsOf).find((one) => rows.keyOf(one) === opened)
  const shown = row && beside?.(row)
  const page: unknown = of.data?.pages[0]
  const total = isRecord(page) && typeof page['total'] === 'number' ? page['total'] : undefined
  return (
    <Screen
      title={title ?? capital(name)}
      about={about}
      actions={
        <>
          {actions}
          <ExportCsv of={id} asked={asked} />
        </>
      }
    >
      <Group gap="sm" align="flex-end">
        {filters['search'] !== undefined && (
          <SearchBox value={filters['search']} change={(text) => change({ search: text })} placeholder={search} />
        )}
        {first.map(drawn)}
        {others.length > 0 && (
          <Button variant="default" onClick={toggle} aria-expanded={open} data-testid="more-filters">
            {given > 0 ? `More filters (${given})` : 'More filters'}
          </Button>
        )}
      </Group>
      <Collapse expanded={open}>
        <Group gap="sm" align="flex-end">
          {others.map(drawn)}
        </Group>
      </Collapse>
      {children}
      <Rows
        {...(beside && { open: (one: Row) => () => setOpened(rows.keyOf(one)) })}
        {...rows}
        label={capital(name)}
        of={of}
        rowsOf={rowsOf}
        total={total}
        isFiltered={Object.keys(asked.query ?? {}).length > 0}
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="lg"
        title={shown?.title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shown?.body}
      </Drawer>
    </Screen>
  )
}

function useRowsOf<Id extends ControlId, Row>(id: Id): (page: OperationAnswer<Id>) => readonly Row[] {
  const { rows } = must(declaredLists[id])
  return useCallback(
    (page) => {
      const found: unknown = isRecord(page) ? page[rows] : undefined
      return Array.isArray(found) ? found : []
    },
    [rows],
  )
}

interface FilterProps {
  list: Filtering
  name: string
}

const LABELS: Readonly<Record<string, string>> = { unread: 'With ignored fields', where: 'Where (CEL)' }

function Filter({ list, name, choices }: FilterProps & { choices: readonly string[] }) {
  const { filters, change } = list
  const look = { label: LABELS[name] ?? capital(titleOf(name)), 'data-testid': name }
  const value = filters[name] ?? ''
  if (choices.join() === 'true,false')
    return (
      <Switch
        {...look}
        checked={value !== ''}
        onChange={(event) => change({ [name]: event.currentTarget.checked ? 'true' : null })}
        mb={8}
      />
    )
  if (choices.length > 0) return <Choice list={list} name={name} data={choices} />
  if (name in ENDS)
    return (
      <TextInput
        {...look}
        type="date"
        value={value}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
        w={150}
      />
    )
  const text = { ...look, value, change: (typed: string) => change({ [name]: typed }) }
  if (name !== 'where') return <Typed {...text} w={150} />
  return <Typed {...text} w={{ base: '100%', sm: 320 }} className="mono-input" />
}

export function Choice({ list, name, ...props }: FilterProps & Omit<SelectProps, 'list'>) {
  return (
    <Select
      label={capital(titleOf(name))}
      placeholder="Any"
      clearable
      w={170}
      {...props}
      value={list.filters[name] || null}
      onChange={(chosen) => list.change({ [name]: chosen })}
      data-testid={name}
    />
  )
}

const looks: Readonly<Record<Form, Pick<RowColumn<object>, 'width' | 'right'>>> = {
  word: { width: 'minmax(5rem, .7fr)' },
  text: { width: 'minmax(8rem, 1.6fr)' },
  number: { width: '5rem', right: true },
  money: { width: '8.5rem', right: true },
  time: { width: '10.25rem' },
  ms: { width: '5rem', right: true },
  state: { width: '7.5rem' },
  status: { width: '4.5rem' },
  size: { width: '6rem', right: true },
}

type Own<Row> = Partial<Pick<RowColumn<Row>, 'title' | 'width' | 'cell' | 'right'>> & { form?: Form }

export function actionsColumn<Row>(of: (row: Row) => string, actions: (row: Row) => readonly RowAction[]): Own<Row> {
  return {
    form: 'word',
    title: '',
    width: '2.5rem',
    right: true,
    cell: (row) => <RowMenu of={of(row)} actions={actions(row)} />,
  }
}

export function columnsOf<Row extends object>(
  id: ControlId,
  own: Readonly<Record<string, Own<Row> | null>>,
): RowColumn<Row>[] {
  const { columns } = must(declaredLists[id])
  return [...new Set([...Object.keys(own), ...Object.keys(columns)])].flatMap((path) => {
    const { form: as, ...mine } = own[path] ?? {}
    const column = columns[path] ?? as
    if (own[path] === null || column === undefined) return []
    const [declared, titled = titleOf(path)] = typeof column === 'string' ? [column] : column
    const form = as ?? declared
    const shown: RowColumn<Row> = {
      ...looks[form],
      title: capital(titled),
      cell: (row) => <Value form={form} row={row} path={path} />,
      ...((form === 'time' || looks[form].right) && { sort: (row) => sortable(valueAt(row, path)) }),
      ...mine,
    }
    return [shown]
  })
}

function Value({ form, row, path }: { form: Form; row: object; path: string }) {
  const value = valueAt(row, path)
  if (value == null || value === '' || (Array.isArray(value) && value.length === 0)) return <Nothing />
  if (form === 'time') return <Instant at={String(value)} />
  if (form === 'state') return <StateBadge state={String(value)} />
  if (form === 'status') return <HttpStatus status={Number(value)} />
  if (form === 'size') return `${Math.round(Number(value) / 1000).toLocaleString('en-GB')} kB`
  if (form === 'money') {
    const currency = valueAt(row, path.replace(/\w+$/, 'currency')) ?? valueAt(row, 'currency')
    return <Money amount={Number(value)} currency={String(currency)} />
  }
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function sortable(value: unknown): number | string {
  return typeof value === 'number' ? value : String(value ?? '')
}

function capital(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1).toLowerCase()
}

/** Without this mark, spreadsheets do not read UTF-8. */
const MARK = '\ufeff'

function ExportCsv({ of, asked }: { of: ControlId; asked: Pick<ControlRequest, 'path' | 'query'> }) {
  const { name, path, isOfServer } = must(declaredLists[of])
  const csv = useMutation({
    mutationFn: () => wholeCsv(isOfServer ? server : world, { list: path, ...asked }),
    onSuccess: (text) => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([MARK, text], { type: 'text/csv' }))
      link.download = `${worldId}-${name}.csv`
      link.click()
    },
  })
  return (
    <Tooltip label={csv.error?.message ?? 'All rows of the list, as it is filtered, for a spreadsheet'}>
      <Button
        variant="default"
        size="xs"
        color={csv.error ? 'red' : undefined}
        loading={csv.isPending}
        onClick={() => csv.mutate()}
        data-testid={`export-${name}`}
      >
        {csv.error ? 'Export failed' : 'Export CSV'}
      </Button>
    </Tooltip>
  )
}
