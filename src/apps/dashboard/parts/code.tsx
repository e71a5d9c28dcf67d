/** Shows values as they are sent. */
import { ActionIcon, Box, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from './icons.tsx'

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
