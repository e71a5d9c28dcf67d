import { Alert, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { world } from '../api/client.ts'
import { HttpStatus, Id, Instant } from '../parts/formatted.tsx'
import { Code } from '../parts/notes.tsx'
import { QueryAnswer, Screen, Section } from '../parts/screen.tsx'

export function RequestScreen({ requestId }: { requestId: string }) {
  const found = useQuery({
    queryKey: ['requests', 'one', requestId],
    queryFn: () => world('GET', '/requests/:id', { path: { id: requestId } }),
  })
  return (
    <QueryAnswer of={found}>
      {(entry) => (
        <Screen
          title={`${entry.method} ${entry.path.split('?')[0]}`}
          about={
            <>
              <Instant at={entry.at} />, answered <HttpStatus status={entry.status} />, <Id id={entry.requestId} />
              {entry.rule && `, decided by “${entry.rule}”`}
            </>
          }
        >
          {entry.unreadFields.length > 0 && (
            <Alert color="orange" title="Ignored fields" data-testid="unread">
              {entry.unreadFields.join(', ')}: the service is not known to have them. A spelling mistake?
            </Alert>
          )}
          {entry.warnings.map((warning) => (
            <Alert key={warning} color="orange" title="Documented, and not enforced">
              {warning}
            </Alert>
          ))}
          {entry.assumed.length > 0 && (
            <Alert color="blue" title="No source says how this is taken" data-testid="assumed">
              {entry.assumed.join(', ')}: under another alternative it would be answered otherwise, or might be.
            </Alert>
          )}
          {entry.fault && (
            <Alert color="violet" title="A fault of the scenario changed the answer">
              {entry.fault}
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title="Request">
              <Text size="sm" className="mono break" mb="xs">
                {entry.path}
              </Text>
              <Code value={entry.request.headers} label="the request's headers" maxHeight={200} />
              <Group mt="xs" />
              <Code value={entry.request.body ?? '(no body)'} label="the request's body" />
            </Section>
            <Section title="Answer">
              <Code value={entry.response ?? '(nothing)'} label="the answer's body" />
            </Section>
          </SimpleGrid>
        </Screen>
      )}
    </QueryAnswer>
  )
}
