/** The page of coverage: what this world exercised, and what leads to the rest. */
import { Accordion, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Coverage as Report } from '../../../client/control-answers.ts'
import { world } from '../api/client.ts'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'

export default function Coverage() {
  const coverage = useQuery({
    queryKey: ['coverage'],
    queryFn: () => world('GET', '/coverage'),
    staleTime: 0,
  })
  return (
    <Screen
      title="Coverage"
      about="What was exercised here of what there is, and which scenario leads to each gap. mfano coverage merges worlds."
    >
      <QueryAnswer of={coverage}>{(report) => <Dimensions report={report} />}</QueryAnswer>
    </Screen>
  )
}

function Dimensions({ report }: { report: Report }) {
  return (
    <Accordion variant="separated" order={2}>
      {Object.entries(report).map(([dimension, { hit, gaps, percent }]) => (
        <Accordion.Item key={dimension} value={dimension} data-testid={`coverage-${dimension}`}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" mb={4}>
              <Text>{dimension}</Text>
              <Text c="dimmed" size="sm" style={{ whiteSpace: 'nowrap' }}>
                {hit.length} of {hit.length + gaps.length}, {percent}%
              </Text>
            </Group>
            <Progress value={percent} aria-label={`${dimension} covered`} />
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap={6}>
              {gaps.map(({ name, command }) => (
                <div key={name}>
                  <Text size="sm" className="mono break">
                    {name}
                  </Text>
                  {command && (
                    <Text size="xs" c="dimmed" className="mono break">
                      {command}
                    </Text>
                  )}
                </div>
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
