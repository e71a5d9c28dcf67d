/** Actions on a row: a menu, with a question before what cannot be undone. */
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { submitting } from '../api/changes.ts'

export interface RowAction {
  words: string
  /** A file to download. */
  href?: string
  question?: string
  /** The label of a name that is asked for. */
  asks?: string
  act?(name: string): void
}

export function RowMenu({ of, actions, busy }: { of: string; actions: readonly RowAction[]; busy: boolean }) {
  const [asked, setAsked] = useState<RowAction>()
  const [name, setName] = useState('')
  const isLoss = asked?.question !== undefined
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={`Actions of ${of}`} loading={busy}>
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
        onClose={() => setAsked(undefined)}
        title={asked && `${asked.words} ${of}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          data-testid="question"
          onSubmit={submitting(() => {
            setAsked(undefined)
            asked?.act?.(name.trim())
          })}
        >
          <Stack>
            {isLoss && <Text>{asked.question}</Text>}
            {asked?.asks && (
              <TextInput
                label={asked.asks}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                data-autofocus
                data-testid="name-asked"
              />
            )}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setAsked(undefined)}>
                Cancel
              </Button>
              <Button type="submit" color={isLoss ? 'red.9' : undefined}>
                {asked?.words}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
