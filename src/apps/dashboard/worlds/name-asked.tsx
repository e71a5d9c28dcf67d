/** A button that asks for a name first. */
import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useBubble } from '../parts/use-bubble.ts'

export function NameAsked(props: { words: string; label: string; act(name: string): void; loading?: boolean }) {
  const { asked, open, close } = useBubble()
  const [name, setName] = useState('')
  return (
    <Popover opened={asked} onClose={close} trapFocus returnFocus shadow="md" withinPortal position="bottom-end">
      <Popover.Target>
        <Button size="compact-xs" variant="default" onClick={open} loading={props.loading ?? false}>
          {props.words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={props.label}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            close()
            props.act(name.trim())
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput
              size="xs"
              label={props.label}
              placeholder="any"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
              data-testid="name-asked"
            />
            <Button size="xs" type="submit">
              {props.words}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
