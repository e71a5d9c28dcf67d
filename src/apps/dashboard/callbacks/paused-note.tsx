/** Says that a world from a file sends no callbacks, and resumes them. */
import { Alert, Button, Group, Text } from '@mantine/core'
import type { Control } from '../../../client/control.ts'
import { useChange } from '../api/changes.ts'
import { ErrorNote } from '../parts/notes.tsx'

export function PausedNote({ control }: { control: Control }) {
  const resume = useChange(() => control('POST', '/callbacks/resume'))
  if (resume.isSuccess) return null
  return (
    <Alert color="orange" title="Callbacks are paused" mt="xs" data-testid="paused-note">
      <Group justify="space-between" gap="xs">
        <Text size="sm">This world came from a file. Its callback addresses may be somebody else's.</Text>
        <Button
          size="xs"
          variant="default"
          loading={resume.isPending}
          onClick={() => resume.mutate()}
          data-testid="resume"
        >
          Resume callbacks
        </Button>
      </Group>
      {resume.error && <ErrorNote error={resume.error} />}
    </Alert>
  )
}
