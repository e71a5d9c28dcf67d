import { Alert, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { kindsQuery } from '../api/queries.ts'
import { OperationForm } from '../parts/form.tsx'
import { Sentence } from '../parts/formatted.tsx'
import { QueryAnswer } from '../parts/screen.tsx'
import { RuleTraceList, StoryTimeline } from '../payments/payment-screen.tsx'

type Kinds = ControlAnswer<'GET', '/kinds'>['kinds']
type Explained = ControlAnswer<'POST', '/scenario/explain'>

export function Try({ draft }: { draft: string | undefined }) {
  const kinds = useQuery(kindsQuery)
  return <QueryAnswer of={kinds}>{(data) => <Question kinds={data.kinds} draft={draft} />}</QueryAnswer>
}

function Question({ kinds, draft }: { kinds: Kinds; draft: string | undefined }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [found, setFound] = useState<Explained>()
  const example = kinds.find((one) => one.kind === kind)?.example ?? { amount: 1000 }
  return (
    <>
      <Select
        label="Kind"
        data={kinds.map((one) => one.kind)}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && setKind(chosen)}
        mb="xs"
      />
      <OperationForm
        key={kind}
        id="scenario.explain"
        ask={['request']}
        given={{ kind, asWritten: true, ...(draft !== undefined && { scenario: draft }) }}
        begin={{ request: JSON.stringify(example, null, 2) }}
        button="What would happen?"
        done={setFound}
        keeps
      />
      {found && (
        <>
          <Refusal of={found} />
          {found.story.length > 0 && <StoryTimeline story={found.story} isForeseen />}
          {found.stopped && (
            <Text size="sm" my="sm">
              <Sentence text={found.stopped} />
            </Text>
          )}
          <RuleTraceList trace={found.decisions.filter(({ about }) => about === 'rule')} />
        </>
      )}
    </>
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
