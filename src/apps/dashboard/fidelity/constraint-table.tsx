/** Constraints of fields, and their basis. */
import { Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFirst } from '../parts/first.tsx'
import { Empty } from '../parts/notes.tsx'
import { Wide } from '../parts/wide.tsx'
import { BasisBadge } from './basis-badge.tsx'

type Constraint = ControlAnswer<'GET', '/fidelity'>['constraints'][number]

export function ConstraintTable({ constraints }: { constraints: readonly Constraint[] }) {
  const [text, setText] = useState('')
  const found = constraints.filter(({ field, constraint, basis, assumption }) =>
    `${field} ${constraint} ${basis} ${assumption ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const { shown, more } = useFirst(found, 50)
  return (
    <>
      <TextInput
        label="Find a constraint"
        placeholder="such as maxLength, or assumed"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={320}
        mb="md"
      />
      {found.length === 0 ? (
        <Empty title="No constraint is like that" />
      ) : (
        <Wide label="Constraints" minWidth={720}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {['Field', 'Constraint', 'Value', 'Known', 'Assumption'].map((title) => (
                  <Table.Th key={title}>{title}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ field, constraint, value, basis, assumption }) => (
                <Table.Tr key={`${field} ${constraint}`}>
                  <Table.Td className="mono">{field}</Table.Td>
                  <Table.Td className="mono">{constraint}</Table.Td>
                  <Table.Td className="mono">{value}</Table.Td>
                  <Table.Td>
                    <BasisBadge basis={basis ?? 'unknown'} />
                  </Table.Td>
                  <Table.Td className="mono">{assumption}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Wide>
      )}
      {more}
    </>
  )
}
