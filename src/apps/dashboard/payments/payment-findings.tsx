/** The findings about one payment, after a comparison of books. */
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { world } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'

export function PaymentFindings({ uuid }: { uuid: string }) {
  // Always loaded again, because no event reports a comparison that somebody else made.
  const { data } = useQuery({ queryKey: ['reconcile'], queryFn: () => world('GET', '/reconcile'), staleTime: 0 })
  const { findings = [], warnings = [] } = data?.last ?? {}
  const about = [...findings, ...warnings].filter(
    ({ requestId, others = [] }) => requestId === uuid || others.includes(uuid),
  )
  if (about.length === 0) return null
  return (
    <Stack gap="xs">
      {about.map(({ code, line, text, todo, level }) => (
        <Alert
          key={`${code} ${line} ${text}`}
          color={level === 'error' ? 'red' : 'yellow'}
          variant="light"
          title={code}
          data-testid="finding"
        >
          <Text size="sm" className="break">
            {text}
          </Text>
          {todo && <Dim>{todo}</Dim>}
        </Alert>
      ))}
    </Stack>
  )
}
