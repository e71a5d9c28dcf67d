/** Facts besides fields: order of checks, refusals, headers and defaults, and their basis. */
import { Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFirst } from '../parts/first.tsx'
import { Empty } from '../parts/notes.tsx'
import { Wide } from '../parts/wide.tsx'
import { BasisBadge } from './basis-badge.tsx'

type Fact = ControlAnswer<'GET', '/fidelity'>['facts'][number]

export function FactTable({ facts }: { facts: readonly Fact[] }) {
  const [text, setText] = useState('')
  const found = facts.filter((fact) => Object.values(fact).join(' ').toLowerCase().includes(text.trim().toLowerCase()))
  const { shown, more } = useFirst(found, 50)
  return (
    <>
      <TextInput
        label="Find a refusal, header or default"
        placeholder="such as 403, or retry"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={320}
        mb="md"
      />
      {found.length === 0 ? (
        <Empty title="Nothing is like that" />
      ) : (
        <Wide label="Refusals, headers and defaults" minWidth={720}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {['About', 'What', 'Value', 'Meaning', 'Known', 'By'].map((title) => (
                  <Table.Th key={title}>{title}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map(({ about, name, value, meaning, basis, source, assumption, byScenario }) => (
                <Table.Tr key={`${about} ${name}`}>
                  <Table.Td>{about}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td className="mono">{value}</Table.Td>
                  <Table.Td>{meaning}</Table.Td>
                  <Table.Td>
                    <BasisBadge basis={basis} />
                  </Table.Td>
                  <Table.Td className="mono">{assumption ?? source ?? (byScenario ? 'scenario' : '')}</Table.Td>
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
