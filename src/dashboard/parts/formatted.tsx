/** Instants, money, states and ids as people read them. */
import { Badge, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'

/** `2025-01-24T16:28:02.123456` as people read it; the exact form in the tooltip. */
export function Instant({ at }: { at: string | null | undefined }) {
  if (!at)
    return (
      <Text span c="dimmed" inherit>
        –
      </Text>
    )
  return (
    <Tooltip label={`${at} in simulated time`}>
      <time dateTime={at}>{shortInstant(at)}</time>
    </Tooltip>
  )
}

export function shortInstant(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}

/** `1 rule`, `1,200 rules`; `many` where the word does not take an s. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`
}

/** `KES 1,500.00` */
export function money(amount: number, currency?: string | null): string {
  const figure = amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return currency ? `${currency} ${figure}` : figure
}

export function Money({ amount, currency }: { amount: number; currency?: string | null }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{money(amount, currency)}</span>
}

const tones: Record<string, string> = {
  SUCCESS: 'green',
  SUCCEEDED: 'green',
  COMPLETED: 'green',
  delivered: 'green',
  PENDING: 'blue',
  PROCESSING: 'blue',
  REQUIRES_CUSTOMER_ACTION: 'blue',
  pending: 'blue',
  held: 'violet',
  FAILED: 'red',
  CANCELLED: 'orange',
  EXPIRED: 'orange',
  'given up': 'red',
  dropped: 'orange',
}

/** A payment's status or a callback's state. */
export function StateBadge({ state }: { state: string }) {
  return (
    <Badge
      component="span"
      color={tones[state] ?? 'gray'}
      variant="light"
      tt="none"
      style={{ flexShrink: 0 }}
      data-state={state}
    >
      {state}
    </Badge>
  )
}

/** An answer's HTTP status; 0 and null mean that none arrived. */
export function HttpStatus({ status }: { status: number | null }) {
  const tone = status === null || status === 0 ? 'gray' : status < 300 ? 'green' : status < 500 ? 'orange' : 'red'
  return (
    <Badge component="span" color={tone} variant="light" style={{ flexShrink: 0 }}>
      {status ? status : 'none'}
    </Badge>
  )
}

/** An id that can be copied with one press. */
export function Id({ id, short = false }: { id: string; short?: boolean }) {
  return (
    <CopyButton value={id} timeout={1200}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${id}`}>
          <UnstyledButton
            className="mono break"
            aria-label={`Copy ${id}`}
            onClick={(event) => {
              event.stopPropagation()
              copy()
            }}
          >
            {short ? `${id.slice(0, 8)}…` : id}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
