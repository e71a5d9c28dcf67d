import { Anchor, type AnchorProps, Group, Stack, Text, TextInput, type TextInputProps, Title } from '@mantine/core'
import { useDebouncedCallback, useDocumentTitle } from '@mantine/hooks'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { worldId } from '../api/client.ts'
import { IconSearch } from './icons.tsx'
import { ErrorNote, WaitingNote } from './notes.tsx'

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

export function QueryAnswer<T>({ of, children }: { of: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <ErrorNote error={of.error} retry={() => void of.refetch()} />
  return <WaitingNote />
}

export function PageLink(props: AnchorProps & { href: string; children: ReactNode }) {
  return <Anchor component={Link} {...props} />
}

/** Milliseconds. Without a pause, each letter would be a request. */
const PAUSE_MS = 300

interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  change(text: string): void
}

/** Follows when the filter changes elsewhere, for example by Back. */
export function Typed({ value, change, ...others }: TypedProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((typed: string) => {
    told.current = typed.trim()
    change(told.current)
  }, PAUSE_MS)
  useEffect(() => {
    // The value that comes back is an older one: somebody may have typed on.
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      {...others}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

export function SearchBox(props: Pick<TypedProps, 'value' | 'change' | 'placeholder'>) {
  return (
    <Typed
      {...props}
      label="Search"
      leftSection={<IconSearch size={16} />}
      w={{ base: '100%', sm: 300 }}
      data-testid="search"
    />
  )
}
