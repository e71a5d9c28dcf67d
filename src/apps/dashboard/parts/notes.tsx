/** Notes instead of content: an error, nothing here, not loaded yet. */
import { Alert, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { refusalIn } from '../api/client.ts'
import { IconAlertTriangle } from './icons.tsx'

export function ErrorNote({ error, retry }: { error: Error; retry?: () => void }) {
  const refusal = refusalIn(error)
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={refusal ? refusal.reason : 'mfano does not answer'}
      data-testid="error"
    >
      <Text size="sm" className="break" style={{ whiteSpace: 'pre-wrap' }}>
        {refusal ? refusal.details : `Is it still running? (${error.message})`}
      </Text>
      {retry && !refusal && (
        <Button size="xs" variant="default" mt="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py={48} data-testid="empty">
      <Stack gap={6} align="center" maw={520}>
        <Title order={3} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center" component="div" mt={4}>
          {children}
        </Text>
      </Stack>
    </Center>
  )
}

/** For a list that filters leave empty: `callbacks` is its name and its page. */
export function NoMatch({ of }: { of: string }) {
  return (
    <Empty title={`No ${of} match`}>
      <Button component={Link} href={`/${of}`} data-testid="clear-filters">
        Remove all filters
      </Button>
    </Empty>
  )
}

export function WaitingNote() {
  return (
    <Center py={48}>
      <Loader role="status" aria-label="Loading" />
    </Center>
  )
}
