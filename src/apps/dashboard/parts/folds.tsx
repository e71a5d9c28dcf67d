/** Parts of a page below each other, folded until somebody opens them. */
import { Accordion } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fold = readonly [name: string, shown: ReactNode, title?: ReactNode]

export function Folds({ of, mt }: { of: readonly Fold[]; mt?: string }) {
  return (
    <Accordion variant="contained" multiple mt={mt}>
      {of.map(([name, shown, title = name]) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>{shown}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
