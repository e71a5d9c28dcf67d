/** The beginning of a long list. */
import { Button, Center } from '@mantine/core'
import { type ReactNode, useState } from 'react'

export function useFirst<Item>(all: readonly Item[], few: number): { shown: readonly Item[]; more: ReactNode } {
  const [whole, setWhole] = useState(false)
  if (whole || all.length <= few) return { shown: all, more: null }
  return {
    shown: all.slice(0, few),
    more: (
      <Center mt="md">
        <Button variant="default" size="xs" onClick={() => setWhole(true)} data-testid="show-all">
          Show all {all.length.toLocaleString('en-GB')}
        </Button>
      </Center>
    ),
  }
}
