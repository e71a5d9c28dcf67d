/** Switches to another world. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { server, urlOf, worldId } from '../api/client.ts'

export function WorldSwitch() {
  const worlds = useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds') })
  const ids = worlds.data?.worlds.map(({ id }) => id) ?? [worldId]
  return (
    <Select
      aria-label="World"
      size="xs"
      w={{ base: 108, xs: 150 }}
      searchable
      allowDeselect={false}
      data={ids}
      value={worldId}
      limit={200}
      onDropdownOpen={() => void worlds.refetch()}
      onChange={(id) => id !== null && id !== worldId && location.assign(addressOf(id))}
      data-testid="world-switch"
    />
  )
}

/** Without the id of a payment, which only this world has. */
function addressOf(id: string): string {
  const [page = ''] = /^#\/[^/?]*/.exec(location.hash) ?? []
  return `${urlOf(id)}/_mfano/${page}`
}
