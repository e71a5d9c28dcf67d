/** Tries a request on the scenario, or on a draft of one. */
import { Alert, Button, Group, Select, Switch, Text, Textarea, TextInput, Timeline } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer, ControlBody } from '../../../client/control.ts'
import { errorOf, recordFor } from '../../../core/model/must.ts'
import type { Json, JsonObject } from '../../../core/model/payment.ts'
import { submitting } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { kindsQuery } from '../api/queries.ts'
import { shortInstant } from '../parts/formatted.tsx'
import { Dim, ErrorNote, Folds } from '../parts/notes.tsx'
import { RuleTraceList } from '../parts/rule-trace.tsx'
import { QueryAnswer } from '../parts/screen.tsx'

type Kinds = ControlAnswer<'GET', '/kinds'>['kinds']
type Explained = ControlAnswer<'POST', '/scenario/explain'>

export function Try({ draft }: { draft: string | undefined }) {
  const kinds = useQuery(kindsQuery)
  return <QueryAnswer of={kinds}>{(data) => <Question kinds={data.kinds} draft={draft} />}</QueryAnswer>
}

function Question({ kinds, draft }: { kinds: Kinds; draft: string | undefined }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [text, setText] = useState(sampleOf(kinds, kind))
  const [completed, setCompleted] = useState(false)
  const [supposed, setSupposed] = useState<SuppositionFields>(nothingSupposed)
  const [misread, setMisread] = useState<string>()
  const ask = useMutation({
    mutationFn: async (request: JsonObject) => {
      const about = { kind, request, ...suppositionOf(supposed), ...(draft !== undefined && { scenario: draft }) }
      const body = { ...about, ...(!completed && { asWritten: true }) }
      const [explained, previewed] = await Promise.all([
        world('POST', '/scenario/explain', { body }),
        world('POST', '/scenario/preview', { body }),
      ])
      return { explained, previewed }
    },
  })
  return (
    <form
      onSubmit={submitting(() => {
        const read = readRequest(text)
        setMisread('problem' in read ? read.problem : undefined)
        if ('request' in read) ask.mutate(read.request)
      })}
    >
      <Group align="flex-end" gap="xs">
        <Select
          label="Kind"
          data={kinds.map((one) => one.kind)}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => {
            if (chosen === null) return
            setKind(chosen)
            setText(sampleOf(kinds, chosen))
          }}
        />
        <Button type="submit" variant="default" loading={ask.isPending} data-testid="try">
          What would happen?
        </Button>
        <Switch
          label="Fill in missing fields"
          checked={completed}
          onChange={(event) => setCompleted(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <Textarea
        label="Request"
        className="mono-input"
        autosize
        minRows={3}
        maxRows={12}
        mt="xs"
        value={text}
        error={misread}
        onChange={(event) => setText(event.currentTarget.value)}
        data-testid="try-request"
      />
      <Suppositions value={supposed} change={setSupposed} />
      {ask.error && <ErrorNote error={ask.error} />}
      {ask.data && (
        <>
          <Refusal of={ask.data.explained} />
          <Timeline
            active={ask.data.previewed.steps.length}
            bulletSize={12}
            lineWidth={2}
            my="md"
            data-testid="sequence"
          >
            {ask.data.previewed.steps.map(({ at, after, from, to, what, only }) => (
              <Timeline.Item key={`${after} ${from} ${to} ${what}`} title={from === to ? from : `${from} → ${to}`}>
                <Text size="sm" className="break">
                  {what}
                  {only && ` (if ${only})`}
                </Text>
                <Dim size="xs">{shortInstant(at)}</Dim>
              </Timeline.Item>
            ))}
          </Timeline>
          <RuleTraceList trace={ask.data.explained.trace} />
        </>
      )}
    </form>
  )
}

function Refusal({ of: { refuse, short, off } }: { of: Explained }) {
  const why = refuse
    ? [`${refuse.status} ${refuse.code}`, refuse.details ?? refuse.message].filter(Boolean).join(': ')
    : short
      ? `the wallet holds ${short.available} of ${short.needed}`
      : off
  if (!why) return null
  return (
    <Alert color="orange" title="Refused" mt="sm" data-testid="try-refused">
      {why}
    </Alert>
  )
}

function readRequest(text: string): { request: JsonObject } | { problem: string } {
  try {
    const value: Json = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { request: value }
    return { problem: 'This is JSON, and not an object: a request looks like { "amount": 1000 }.' }
  } catch (error) {
    return { problem: `This is not JSON: ${errorOf(error).message}.` }
  }
}

function sampleOf(kinds: Kinds, kind: string): string {
  return JSON.stringify(kinds.find((one) => one.kind === kind)?.example ?? { amount: 1000 }, null, 2)
}

// Suppositions about the world for a request that is tried.

const fields = [
  { name: 'nth', label: 'It is the n-th', width: 110 },
  { name: 'at', label: 'Simulated time', example: '2025-01-24T16:28:00', width: 210 },
  { name: 'wallet', label: 'The wallet holds', width: 130 },
  { name: 'tokenAge', label: 'Age of the token', example: '2m', width: 140 },
  { name: 'succeeded', label: 'Earlier ones that succeeded', width: 210 },
  { name: 'failed', label: 'Earlier ones that failed', width: 210 },
  { name: 'pending', label: 'Earlier ones that are pending', width: 210 },
  { name: 'paidToday', label: 'Paid today', width: 130 },
] as const

type Supposition = Omit<ControlBody<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>
type SuppositionFields = Record<(typeof fields)[number]['name'], string>

const nothingSupposed: SuppositionFields = recordFor(
  fields.map(({ name }) => name),
  () => '',
)

function suppositionOf({ nth, at, wallet, tokenAge, ...history }: SuppositionFields): Supposition {
  const given = Object.entries(history).filter(([, count]) => count !== '')
  return {
    ...(nth !== '' && { nth: Number(nth) }),
    ...(at !== '' && { at: at.trim() }),
    ...(wallet !== '' && { wallet: Number(wallet) }),
    ...(tokenAge !== '' && { tokenAge: tokenAge.trim() }),
    ...(given.length > 0 && { history: Object.fromEntries(given.map(([name, count]) => [name, Number(count)])) }),
  }
}

function Suppositions({ value, change }: { value: SuppositionFields; change(next: SuppositionFields): void }) {
  const told = Object.values(value).filter((one) => one !== '').length
  const boxes = (
    <Group gap="xs" align="flex-end">
      {fields.map(({ name, label, width, ...more }) => (
        <TextInput
          key={name}
          label={label}
          description={'example' in more && `such as ${more.example}`}
          {...(!('example' in more) && { type: 'number', min: 0 })}
          w={width}
          value={value[name]}
          onChange={(event) => change({ ...value, [name]: event.currentTarget.value })}
          data-testid={`suppose-${name}`}
        />
      ))}
    </Group>
  )
  return <Folds mt="xs" of={[['supposed', boxes, `Suppose${told > 0 ? ` (${told})` : '…'}`]]} />
}
