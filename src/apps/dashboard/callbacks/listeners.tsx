/** Programs elsewhere that receive the callbacks of this world, such as `mfano listen`. Shows nothing where there are none. */
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../core/model/counted.ts'
import { world } from '../api/client.ts'
import { StateBadge } from '../parts/formatted.tsx'

const LOOK_MS = 5_000

export function Listeners() {
  const { data } = useQuery({
    queryKey: ['callbacks', 'forwarders'],
    queryFn: () => world('GET', '/forwarders'),
    refetchInterval: LOOK_MS,
  })
  if (!data || data.forwarders.length === 0) return null
  return (
    <Stack gap={4} component="section" aria-label="Listeners">
      {data.forwarders.map(({ id, name, state, forwardTo, callbackUrl, open, answered }) => (
        <Text key={id} size="sm" className="break" data-testid="listener">
          <StateBadge state={state} /> {name} posts {callbackUrl ?? 'all callbacks'} to {forwardTo}:{' '}
          {counted(answered, 'callback')} answered, {open} open
        </Text>
      ))}
    </Stack>
  )
}
