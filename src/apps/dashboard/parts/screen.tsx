/** The frame of a page and its sections. */
import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { worldId } from '../api/client.ts'

export function Screen(props: {
  title: string
  badge?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useDocumentTitle(`${props.title} · ${worldId} · mfano`)
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <Group gap="sm">
            <Title order={1} size="h2" className="break">
              {props.title}
            </Title>
            {props.badge}
          </Group>
          {props.about && (
            <Text c="dimmed" size="sm" component="div">
              {props.about}
            </Text>
          )}
        </div>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  )
}

export function Section({ title, children, aside }: { title: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  )
}
