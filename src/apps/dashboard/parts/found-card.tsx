import { Card, Group, Stack, Title } from '@mantine/core'
import { IconAlertTriangle, IconX } from './icons.tsx'
import { Dim } from './notes.tsx'
import { PageLink } from './screen.tsx'

export interface FoundItem {
  title: string
  tone?: 'red' | 'orange'
  to: string
  lines: readonly { to: string; words: string; told: string }[]
}

export function FoundCard({ title, tone, to, lines }: FoundItem) {
  const Sign = tone && { red: IconX, orange: IconAlertTriangle }[tone]
  const colour = tone && `light-dark(var(--mantine-color-${tone}-9), var(--mantine-color-${tone}-4))`
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group gap="xs" mb="xs" c={colour} wrap="nowrap" align="flex-start">
        {Sign && <Sign size={18} />}
        <Title order={2} size="h5">
          {title}
        </Title>
        <PageLink href={to} fz="sm" ml="auto" style={{ whiteSpace: 'nowrap' }}>
          View all
        </PageLink>
      </Group>
      <Stack gap={6}>
        {lines.map((line) => (
          <div key={line.to}>
            <PageLink href={line.to} fz="sm" fw={600} className="break">
              {line.words}
            </PageLink>
            <Dim className="break" lineClamp={2}>
              {line.told}
            </Dim>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
