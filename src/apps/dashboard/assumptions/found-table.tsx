/** A table of facts with a box that finds some of them. */
import { Badge, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFirst } from '../parts/first.tsx'
import { Empty } from '../parts/notes.tsx'
import { SmallTable } from '../parts/small-table.tsx'

const FEW = 50
const tones: Record<string, string> = { specified: 'green', published: 'blue', measured: 'violet', assumed: 'orange' }
/** Columns of words; the others have names and values, as programs write them. */
const WORDS = new Set(['About', 'What', 'Meaning', 'Source', ''])

interface FoundTableProps {
  find: string
  example: string
  titles: readonly string[]
  rows: readonly (readonly string[])[]
}

export function FoundTable({ find, example, titles, rows }: FoundTableProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = rows.filter((row) => row.join(' ').toLowerCase().includes(wanted))
  const { shown, more } = useFirst(found, FEW)
  return (
    <>
      <TextInput
        label={find}
        placeholder={`such as ${example}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maw={320}
        mb="md"
      />
      {found.length === 0 ? (
        <Empty title="No match">Search for fewer letters.</Empty>
      ) : (
        <SmallTable titles={titles}>
          {shown.map((row) => (
            <Table.Tr key={row.join(' ')}>
              {row.map((cell, i) => (
                <Table.Td key={titles[i]} className={WORDS.has(titles[i] ?? '') ? 'break' : 'mono break'}>
                  {titles[i] === 'Basis' ? (
                    <Badge component="span" variant="light" color={tones[cell] ?? 'gray'} miw="max-content">
                      {cell}
                    </Badge>
                  ) : (
                    cell
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </SmallTable>
      )}
      {more}
    </>
  )
}
