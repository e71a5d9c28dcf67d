/** The page of one request. */
import { Alert, Button, CopyButton, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { world, worldUrl } from '../api/client.ts'
import { Code } from '../parts/code.tsx'
import { HttpStatus, Id, Instant } from '../parts/formatted.tsx'
import { Empty } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen, Section } from '../parts/screen.tsx'
import { asCurl } from './curl.ts'

export function RequestScreen({ requestId }: { requestId: string }) {
  const found = useQuery({
    queryKey: ['requests', 'one', requestId],
    queryFn: () => world('GET', '/requests', { query: { requestId } }),
  })
  return (
    <QueryAnswer of={found}>
      {({ requests: [entry] }) =>
        entry ? (
          <Screen
            title={`${entry.method} ${entry.path.split('?')[0]}`}
            about={
              <>
                <Instant at={entry.at} />, answered <HttpStatus status={entry.status} />, <Id id={entry.requestId} />
                {entry.rule && `, decided by “${entry.rule}”`}
              </>
            }
            actions={
              <CopyButton value={asCurl(worldUrl, entry)}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy} data-testid="copy-curl">
                    {copied ? 'Copied' : 'Copy as curl'}
                  </Button>
                )}
              </CopyButton>
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
            <Section title="As a command">
              <Code value={asCurl(worldUrl, entry)} label="the request as a curl command" />
            </Section>
          </Screen>
        ) : (
          <Screen title="Request">
            <Empty title="The journal has no such request">It may have been cleared, or belong to another world.</Empty>
          </Screen>
        )
      }
    </QueryAnswer>
  )
}
