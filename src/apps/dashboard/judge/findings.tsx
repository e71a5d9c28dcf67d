/** Findings, on the page of books and beside their payment. */
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Finding } from '../../../client/control-answers.ts'
import { world } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import { useFirst } from '../parts/first.tsx'
import { PageLink } from '../parts/page-link.tsx'

const FEW = 10

/** Always loaded again, because no event reports a comparison that somebody else made. */
export function useLastVerdict() {
  return useQuery({ queryKey: ['reconcile'], queryFn: () => world('GET', '/reconcile'), staleTime: 0 })
}

export function Findings({ findings, linked = false }: { findings: readonly Finding[]; linked?: boolean }) {
  const { shown, more } = useFirst(findings, FEW)
  return (
    <Stack gap="xs">
      {shown.map((finding) => (
        <Alert
          key={`${finding.code} ${finding.line} ${finding.requestId} ${finding.text}`}
          color={finding.level === 'error' ? 'red' : 'yellow'}
          variant="light"
          title={finding.code}
          data-testid="finding"
        >
          <Text size="sm" className="break">
            {finding.text}
          </Text>
          {finding.todo && <Dim>{finding.todo}</Dim>}
          {linked && finding.explain && (
            <PageLink href={`/payments/${finding.requestId}`} size="sm" c="inherit" underline="always">
              Open payment
            </PageLink>
          )}
        </Alert>
      ))}
      {more}
    </Stack>
  )
}

export function PaymentFindings({ uuid }: { uuid: string }) {
  const { data } = useLastVerdict()
  const { findings = [], warnings = [] } = data?.last ?? {}
  const about = [...findings, ...warnings].filter(
    ({ requestId, others = [] }) => requestId === uuid || others.includes(uuid),
  )
  return about.length === 0 ? null : <Findings findings={about} />
}
