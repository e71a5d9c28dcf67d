/** Times, money, states and ids for people. */
import { Badge, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { zonedText } from '../../../core/model/calendar.ts'
import { splitAtDurations } from '../../../core/model/short-duration.ts'
import { hasZone, parseInstant } from '../../../core/model/time.ts'
import { pageZone } from '../api/page-zone.ts'

export function Nothing() {
  return (
    <Text span c="dimmed" inherit>
      –
    </Text>
  )
}

export function Instant({ at }: { at: string | null | undefined }) {
  if (!at) return <Nothing />
  return (
    <Tooltip label={exactInstant(at)}>
      <time dateTime={at}>{shortInstant(at)}</time>
    </Tooltip>
  )
}

/** `2025-01-24 19:28:02`, in the scenario's zone. */
export function shortInstant(at: string): string {
  return wallTime(at).slice(0, 19).replace('T', ' ')
}

function wallTime(at: string): string {
  return zonedText(parseInstant(at) ?? 0, pageZone())
}

function exactInstant(at: string): string {
  const { name, offsetUs } = pageZone()
  return offsetUs === 0 ? at : `${wallTime(at)} (${name}), ${at}`
}

/** Skips quoted values and addresses, which somebody may copy. */
const INSTANT = /(?<![\w"'/=])(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)(?![\w"'])/

/** Shortens instants and durations in a sentence of the server; tooltips show them exactly. */
export function Sentence({ text }: { text: string }) {
  return text.split(INSTANT).map((piece, i) =>
    // Every second piece is what the pattern's group matched.
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <time key={i} dateTime={piece} title={piece} style={{ whiteSpace: 'nowrap' }}>
        {hasZone(piece) ? shortInstant(piece) : piece.slice(0, 19).replace('T', ' ')}
      </time>
    ) : (
      splitAtDurations(piece).map((part, at) =>
        typeof part === 'string' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <span key={`${i} ${at}`} title={part.exact} style={{ whiteSpace: 'nowrap' }}>
            {part.short}
          </span>
        ),
      )
    ),
  )
}

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
  retrying: 'orange',
  failed: 'red',
  dropped: 'orange',
}

export function toneOf(state: string): string {
  return tones[state] ?? 'gray'
}

export function StateBadge({ state }: { state: string }) {
  return (
    <Badge
      component="span"
      color={toneOf(state)}
      variant="light"
      tt="none"
      style={{ flexShrink: 0 }}
      data-state={state}
    >
      {state}
    </Badge>
  )
}

/** 0 and null mean that no answer arrived. */
export function HttpStatus({ status }: { status: number | null }) {
  const tone = status === null || status === 0 ? 'gray' : status < 300 ? 'green' : status < 500 ? 'orange' : 'red'
  return (
    <Badge component="span" color={tone} variant="light" style={{ flexShrink: 0 }}>
      {status ? status : 'none'}
    </Badge>
  )
}

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
