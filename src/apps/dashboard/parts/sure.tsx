/** A button that asks before it does what cannot be undone. */
import { Button, Group, Popover, Stack, Text } from '@mantine/core'
import { useBubble } from './use-bubble.ts'

/** Escape, a click elsewhere or another question closes the bubble, so that only one is open. */
export function Sure(props: { words: string; question: string; act(): void; loading?: boolean }) {
  const { asked, open, close } = useBubble()
  return (
    <Popover opened={asked} onClose={close} trapFocus returnFocus shadow="md" withinPortal position="bottom-end">
      <Popover.Target>
        <Button size="compact-xs" variant="light" color="red" onClick={open} loading={props.loading ?? false}>
          {props.words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={props.question} data-testid="question">
        <Stack gap="xs">
          <Text size="sm">{props.question}</Text>
          <Group gap="xs" justify="flex-end">
            <Button size="compact-xs" variant="default" onClick={close}>
              No
            </Button>
            <Button
              size="compact-xs"
              color="red"
              onClick={() => {
                close()
                props.act()
              }}
            >
              Yes
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
