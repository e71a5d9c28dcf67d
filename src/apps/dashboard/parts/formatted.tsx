import { Badge, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { plainTime, zonedText } from '../../../core/model/calendar.ts'
import { parseInstant, withShortDurations } from '../../../core/model/time.ts'
import { pageZone } from '../api/page-zone.ts'
import { IconAlertTriangle, IconCheck, IconClock, IconX } from './icons.tsx'

export function Nothing() {
  return (
    <Text span c="dimmed" inherit className="nothing">
      –
    </Text>
  )
}

export function Instant({ at, children }: { at: string | null | undefined; children?: ReactNode }) {
  if (!at) return <Nothing />
  return (
    <time dateTime={at} title={exactInstant(at)}>
      {children ?? shortInstant(at)}
    </time>
  )
}

export function dayAndClock(at: string): [day: string, clock: string] {
  const [day = '', clock = ''] = plainTime(parseInstant(at) ?? 0, pageZone()).split(', ')
  return [day, clock.slice(0, 8)]
}

export function shortInstant(at: string): string {
  return dayAndClock(at).join(', ')
}

function wallTime(at: string): string {
  return zonedText(parseInstant(at) ?? 0, pageZone())
}

function exactInstant(at: string): string {
  const { name, offsetUs } = pageZone()
  return offsetUs === 0 ? at : `${wallTime(at)} (${name}), ${at}`
}

const INSTANT = /(?<![\w"'/=])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)(?![\w"'])/g
const SUM = /(?<![\w"'.=/-])\d+\.\d{1,2} [A-Z]{3}(?![\w"'])/g
const ACCOUNT = /(?<![\w"'])(fees|float|funding|rail|wallet):[\w:-]+(?![\w"'])/g

/** Skips quoted values and addresses, which somebody may copy. */
export function Sentence({ text }: { text: string }) {
  return withShortDurations(text)
    .replaceAll(INSTANT, (at) => shortInstant(at))
    .replaceAll(SUM, (sum) => money(Number.parseFloat(sum), sum.slice(-3)))
    .replaceAll(ACCOUNT, '$1')
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

const signs: Record<string, typeof IconCheck> = {
  green: IconCheck,
  blue: IconClock,
  violet: IconClock,
  red: IconX,
  orange: IconAlertTriangle,
}

export function StateBadge({ state, size = 'md' }: { state: string; size?: 'md' | 'lg' }) {
  const tone = toneOf(state)
  const Sign = signs[tone]
  return (
    <Badge
      component="span"
      color={tone}
      variant="light"
      size={size}
      className="whole-badge"
      leftSection={Sign && <Sign size={12} stroke={2.5} />}
      data-state={state}
    >
      {state.split('_').map((word, i) => (
        <Fragment key={word}>
          {i > 0 && (
            <>
              _<wbr />
            </>
          )}
          {word}
        </Fragment>
      ))}
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

export function Id({ id }: { id: string }) {
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
            {id}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
