import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { submitting, useChange } from '../api/changes.ts'
import { ErrorNote } from './notes.tsx'

export interface RowAction {
  words: string
  href?: string
  question?: string
  asks?: string
  act?(name: string): Promise<unknown>
}

export function RowMenu({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  const [asked, setAsked] = useState<RowAction>()
  const [name, setName] = useState('')
  const close = () => setAsked(undefined)
  const act = useChange(async () => asked?.act?.(name.trim()), close)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          {/* Above what makes the whole row a link. */}
          <ActionIcon variant="default" size="lg" pos="relative" style={{ zIndex: 1 }} aria-label={`Actions of ${of}`}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) =>
            action.href !== undefined ? (
              <Menu.Item key={action.words} component="a" href={action.href} download>
                {action.words}
              </Menu.Item>
            ) : (
              <Menu.Item
                key={action.words}
                color={action.question === undefined ? undefined : 'red'}
                onClick={() => setAsked(action)}
              >
                {action.words}…
              </Menu.Item>
            ),
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asked !== undefined}
        onClose={close}
        title={asked && `${asked.words} ${of}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form data-testid="question" onSubmit={submitting(() => act.mutate())}>
          <Stack>
            {asked?.question && <Text>{asked.question}</Text>}
            {asked?.asks && (
              <TextInput
                label={asked.asks}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                data-autofocus
                data-testid="name-asked"
              />
            )}
            {act.error && <ErrorNote error={act.error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={act.isPending} color={asked?.question ? 'red.9' : undefined}>
                {asked?.words}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
