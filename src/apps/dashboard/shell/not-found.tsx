import { Button, Group } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { Empty } from '../parts/notes.tsx'
import { Screen } from '../parts/screen.tsx'

export function NotFound() {
  const [location] = useLocation()
  return (
    <Screen title="Page not found">
      <Empty title={`The dashboard has no page ${location}`}>
        <Group justify="center" gap="xs" mt="sm">
          <Button component={Link} href="/">
            Open the overview
          </Button>
          <Button variant="default" onClick={() => history.back()}>
            Go back
          </Button>
        </Group>
      </Empty>
    </Screen>
  )
}
