/** The page of coverage: what this world exercised, and what leads to the rest. */
import { Accordion, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Coverage as Report } from '../../../client/control-answers.ts'
import { keysIn } from '../../../core/model/must.ts'
import { world } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { Dim } from '../parts/dim.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'

type Dimension = Exclude<keyof Report, 'read'>

/** What each word counts, and how much of it is good. */
const words: Record<Dimension, { counts: string; good: string }> = {
  operations: { counts: 'Operations of the service that were called.', good: 'all that your app uses' },
  fields: { counts: 'Fields of requests that were sent at least once.', good: 'all that your app can send' },
  refusals: { counts: 'Error codes that the service answered.', good: '50% or more' },
  ends: { counts: 'Final statuses, of each kind of payment.', good: 'all of the kinds that your app uses' },
  edges: {
    counts: 'Changes of status, such as a reversal after a success.',
    good: '80% of the kinds that your app uses',
  },
  callbacks: { counts: 'What happened to callbacks: refused, late, sent twice, before the answer.', good: '100%' },
  tokens: { counts: 'What happened to tokens: issued, renewed, refused, not issued.', good: '100%' },
  assumptions: { counts: 'Answers to questions about the service that no source settles.', good: '50% or more' },
}

export function CoverageScreen() {
  const coverage = useQuery({ queryKey: ['coverage'], queryFn: () => world('GET', '/coverage'), staleTime: 0 })
  return (
    <Screen
      title="Coverage"
      about="How much of the service this world exercised. Open a line for the commands that exercise the rest."
    >
      <QueryAnswer of={coverage}>{(report) => <Dimensions report={report} />}</QueryAnswer>
    </Screen>
  )
}

function Dimensions({ report }: { report: Report }) {
  return (
    <Accordion variant="contained" order={2}>
      {keysIn(words).map((dimension) => {
        const { hit, gaps, percent } = report[dimension]
        return (
          <Accordion.Item key={dimension} value={dimension} data-testid={`coverage-${dimension}`}>
            <Accordion.Control>
              <Group justify="space-between" wrap="nowrap" pe="sm" align="flex-start">
                <div>
                  {dimension}
                  <Dim>
                    {words[dimension].counts} Good: {words[dimension].good}.
                  </Dim>
                </div>
                <Text size="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <b>{percent}%</b>
                  <br />
                  {hit.length} of {hit.length + gaps.length}
                </Text>
              </Group>
              <Progress value={percent} aria-label={`${dimension} covered`} mt={6} me="sm" />
            </Accordion.Control>
            <Accordion.Panel>
              <Gaps gaps={gaps} />
            </Accordion.Panel>
          </Accordion.Item>
        )
      })}
    </Accordion>
  )
}

function Gaps({ gaps }: { gaps: Report[Dimension]['gaps'] }) {
  if (gaps.length === 0) return <Text size="sm">Everything was exercised.</Text>
  return (
    <Stack gap="xs">
      {[...Map.groupBy(gaps, ({ command }) => command)].map(([command, those]) => (
        <Fragment key={command}>
          <Text size="sm" className="break">
            {command === undefined ? 'Only a request of your app exercises: ' : ''}
            <span className="mono">{those.map(({ name }) => name).join(', ')}</span>
          </Text>
          {command !== undefined && <Code value={command} label={`the command for ${those[0]?.name}`} />}
        </Fragment>
      ))}
    </Stack>
  )
}
