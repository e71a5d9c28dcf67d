import {
  Accordion,
  ActionIcon,
  Alert,
  Box,
  Button,
  Center,
  CopyButton,
  Loader,
  Stack,
  Text,
  type TextProps,
  Title,
} from '@mantine/core'
import type { HTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { refusalIn } from '../api/client.ts'
import { IconAlertTriangle, IconCheck, IconCopy } from './icons.tsx'

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

export type Fold = readonly [name: string, shown: ReactNode, title?: ReactNode]

export function Folds({ of }: { of: readonly Fold[] }) {
  return (
    <Accordion variant="contained" multiple>
      {of.map(([name, shown, title = name]) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>{shown}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

export function Dim(props: TextProps & Pick<HTMLAttributes<HTMLElement>, 'children' | 'role' | 'title'>) {
  return <Text size="sm" c="dimmed" {...props} />
}

export function Code({ value, label, maxHeight = 420 }: { value: unknown; label: string; maxHeight?: number }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <Box pos="relative" ta="left">
      <div className="code" style={{ maxHeight }} role="group" tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </div>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            pos="absolute"
            top={6}
            right={6}
            variant="default"
            size="sm"
            onClick={copy}
            aria-label={`Copy ${label}`}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Box>
  )
}
