/** A badge with the basis of a fact. */
import { Badge } from '@mantine/core'

const tones: Record<string, string> = { specified: 'green', published: 'blue', measured: 'violet', assumed: 'orange' }

export function BasisBadge({ basis }: { basis: string }) {
  return (
    <Badge variant="light" color={tones[basis] ?? 'gray'} tt="none">
      {basis}
    </Badge>
  )
}
