/** Filters of the list of payments, kept in the address. */
import { Button, Collapse, Group, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { parseInZone } from '../../../core/model/calendar.ts'
import { keysIn } from '../../../core/model/must.ts'
import { isoInstant } from '../../../core/model/time.ts'
import { givenOf, useFilters } from '../api/address.ts'
import { pageZone } from '../api/page-zone.ts'
import { kindsQuery, organisationsQuery } from '../api/queries.ts'
import { SearchBox, Typed } from '../parts/search-box.tsx'

const rare = ['organisationId', 'from', 'to', 'minAmount', 'maxAmount'] as const
const names = ['search', 'kind', 'status', 'outcome', ...rare] as const

type Filters = Record<(typeof names)[number], string>
type Change = (changes: { [name in keyof Filters]?: string | null }) => void

const outcomes = { succeeded: 'Succeeded', failed: 'Failed', open: 'Under way' }
const statuses = 'PENDING PROCESSING REQUIRES_CUSTOMER_ACTION SUCCESS SUCCEEDED FAILED CANCELLED EXPIRED'.split(' ')

export function usePaymentFilters() {
  const [filters, setFilters] = useFilters(...names)
  const { from, to, ...others } = filters
  const query = givenOf({ ...others, since: instantIn(from, '00:00:00'), until: instantIn(to, '23:59:59.999999') })
  return { filters, query, setFilters }
}

/** The filter of a day in the world's zone; nothing where the address has something else. */
function instantIn(day: string, time: string): string {
  const atUs = parseInZone(`${day}T${time}`, pageZone())
  return atUs === undefined ? '' : isoInstant(atUs)
}

export function PaymentFilters({ filters, change }: { filters: Filters; change: Change }) {
  const kinds = useQuery(kindsQuery)
  const organisations = useQuery(organisationsQuery)
  const given = rare.filter((name) => filters[name] !== '').length
  const [open, { toggle }] = useDisclosure(given > 0)
  const choice = { placeholder: 'Any', clearable: true, w: 170 }
  const typed = (name: keyof Filters, label: string) => (
    <Typed
      label={label}
      inputMode="decimal"
      value={filters[name]}
      change={(text) => change({ [name]: text })}
      w={120}
      data-testid={name}
    />
  )
  const day = (name: keyof Filters, label: string) => (
    <TextInput
      label={label}
      type="date"
      value={filters[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      w={150}
      data-testid={name}
    />
  )
  return (
    <>
      <Group gap="sm" align="flex-end">
        <SearchBox
          value={filters.search}
          change={(search) => change({ search })}
          placeholder="Phone, name, reference, receipt"
        />
        <Select
          {...choice}
          label="Outcome"
          data={[
            { group: 'Outcome', items: keysIn(outcomes).map((value) => ({ value, label: outcomes[value] })) },
            { group: 'Status', items: statuses },
          ]}
          value={filters.outcome || filters.status || null}
          onChange={(chosen) => {
            const isOutcome = chosen !== null && chosen in outcomes
            change({ outcome: isOutcome ? chosen : null, status: isOutcome ? null : chosen })
          }}
          data-testid="status"
        />
        <Select
          {...choice}
          label="Kind"
          data={kinds.data?.kinds.map(({ kind }) => kind) ?? []}
          value={filters.kind || null}
          onChange={(kind) => change({ kind })}
          data-testid="kind"
        />
        <Button variant="default" onClick={toggle} aria-expanded={open} data-testid="more-filters">
          {given > 0 ? `More filters (${given})` : 'More filters'}
        </Button>
      </Group>
      <Collapse expanded={open}>
        <Group gap="sm" align="flex-end">
          {day('from', 'From')}
          {day('to', 'To')}
          {typed('minAmount', 'Amount from')}
          {typed('maxAmount', 'Amount to')}
          <Select
            {...choice}
            label="Organisation"
            data={organisations.data?.organisations.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
            value={filters.organisationId || null}
            onChange={(organisationId) => change({ organisationId })}
            w={220}
            data-testid="organisationId"
          />
        </Group>
      </Collapse>
    </>
  )
}
