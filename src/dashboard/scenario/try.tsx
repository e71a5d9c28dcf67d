/** Tries a request on the scenario. */
import { Button, Group, Select, Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../client/control.ts'
import { world } from '../api/client.ts'
import { kindsQuery } from '../api/queries.ts'
import { ErrorNote } from '../parts/notes.tsx'
import { Answer } from '../parts/query-answer.tsx'
import { RuleTrace } from '../parts/rule-trace.tsx'
import { Sequence } from './sequence-diagram.tsx'

type Kinds = ControlAnswer<'GET', '/kinds'>['kinds']

/** Asks what would happen to a request, of any kind that the service has. */
export function Try() {
  const kinds = useQuery(kindsQuery)
  return <Answer of={kinds}>{(data) => <Question kinds={data.kinds} />}</Answer>
}

/** Nothing is made, nothing is counted. */
function Question({ kinds }: { kinds: Kinds }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [text, setText] = useState(sampleOf(kinds, kind))
  const ask = useMutation({
    mutationFn: async () => {
      const json = { kind, request: JSON.parse(text) }
      const [explained, previewed] = await Promise.all([
        world('POST', '/scenario/explain', { body: json }),
        world('POST', '/scenario/preview', { body: json }),
      ])
      return { explained, previewed }
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate()
      }}
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
        <Button type="submit" loading={ask.isPending} data-testid="try">
          What would happen?
        </Button>
      </Group>
      <Textarea
        label="Request, or the part of it that matters"
        className="mono"
        autosize
        minRows={3}
        maxRows={12}
        mt="xs"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-testid="try-request"
      />
      {ask.error && <ErrorNote error={ask.error} />}
      {ask.data && (
        <>
          <div style={{ overflowX: 'auto', marginTop: '1rem' }} role="group" aria-label="Preview" tabIndex={0}>
            <Sequence steps={ask.data.previewed.steps} />
          </div>
          <RuleTrace trace={ask.data.explained.trace} />
        </>
      )}
    </form>
  )
}

function sampleOf(kinds: Kinds, kind: string): string {
  return JSON.stringify(kinds.find((one) => one.kind === kind)?.example ?? { amount: 1000 }, null, 2)
}
