import { Alert, Button, Group, Select, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { errorOf } from '../../../core/model/must.ts'
import type { Json, JsonObject } from '../../../core/model/payment.ts'
import { submitting } from '../api/changes.ts'
import { anyOfWorld } from '../api/client.ts'
import { kindsQuery } from '../api/queries.ts'
import { Sentence } from '../parts/formatted.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { RuleTraceList } from '../parts/rule-trace.tsx'
import { QueryAnswer } from '../parts/screen.tsx'
import { StoryTimeline } from '../payments/payment-screen.tsx'

type Kinds = ControlAnswer<'GET', '/kinds'>['kinds']
type Explained = ControlAnswer<'POST', '/scenario/explain'>

export function Try({ draft }: { draft: string | undefined }) {
  const kinds = useQuery(kindsQuery)
  return <QueryAnswer of={kinds}>{(data) => <Question kinds={data.kinds} draft={draft} />}</QueryAnswer>
}

function Question({ kinds, draft }: { kinds: Kinds; draft: string | undefined }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [text, setText] = useState(sampleOf(kinds, kind))
  const [misread, setMisread] = useState<string>()
  const ask = useMutation({
    mutationFn: async (request: JsonObject) => {
      const about = { kind, request, asWritten: true, ...(draft !== undefined && { scenario: draft }) }
      return anyOfWorld<Explained>('POST', '/scenario/explain', { body: about })
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
      {ask.error && <ErrorNote error={ask.error} />}
      {ask.data && (
        <>
          <Refusal of={ask.data} />
          {ask.data.story.length > 0 && <StoryTimeline story={ask.data.story} isForeseen />}
          {ask.data.stopped && (
            <Text size="sm" my="sm">
              <Sentence text={ask.data.stopped} />
            </Text>
          )}
          <RuleTraceList trace={ask.data.decisions.filter(({ about }) => about === 'rule')} />
        </>
      )}
    </form>
  )
}

function Refusal({ of: { refuse, off } }: { of: Explained }) {
  const why = refuse
    ? [`${refuse.status} ${refuse.code}`, refuse.details ?? refuse.message].filter(Boolean).join(': ')
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
