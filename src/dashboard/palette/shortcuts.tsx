/** The keys that work on every page. */
import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { goTo } from './go-to.ts'

const others: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl', 'K'], 'Find anything, or do something (⌘ K on a Mac)'],
  [['/'], 'Search the list of this page'],
  [['?'], 'Show these keys'],
  [['Esc'], 'Close what is open'],
]

/** A list of them. */
export default function Shortcuts({ opened, close }: { opened: boolean; close(): void }) {
  const all = [...others, ...Object.entries(goTo).map(([key, { label }]) => [['g', key], label] as const)]
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Keys"
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="shortcuts"
    >
      <Stack gap="xs">
        {all.map(([keys, what]) => (
          <Group key={what} justify="space-between" wrap="nowrap">
            <Text size="sm">{what}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
