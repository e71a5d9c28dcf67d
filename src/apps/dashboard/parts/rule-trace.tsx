import { Stack, Table } from '@mantine/core'
import { counted } from '../../../core/model/text.ts'
import { Dim } from './notes.tsx'
import { SmallTable } from './rows.tsx'

interface Line {
  name: string
  outcome: string
  why: string
}

/** Later rules are only counted, because they were not asked. */
export function RuleTraceList({ trace }: { trace: readonly Line[] }) {
  const at = trace.findIndex(({ outcome }) => outcome === 'decided')
  const decided = trace[at]
  const passed = decided ? trace.slice(0, at) : trace
  const behind = decided ? trace.length - at - 1 : 0
  const words = [
    passed.length > 0 && `${counted(passed.length, 'rule')} before it did not decide, for the reasons above.`,
    behind > 0 && `${counted(behind, 'rule')} behind it ${behind === 1 ? 'was' : 'were'} not asked.`,
  ].filter(Boolean)
  return (
    <Stack gap="xs" data-testid="rule-trace">
      <SmallTable>
        {[...(decided ? [decided] : []), ...passed].map((line) => (
          <Table.Tr key={line.name}>
            <Table.Td fw={line === decided ? 650 : undefined}>{line.name}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{line.outcome}</Table.Td>
            <Table.Td className="mono break">{line.why}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      {words.length > 0 && <Dim>{words.join(' ')}</Dim>}
    </Stack>
  )
}
