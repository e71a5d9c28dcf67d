/** Fills in a number or an amount for which the scenario in force has a rule, such as a phone that is not registered. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { world } from '../api/client.ts'

/** Alone, or as the first of several: `request.phoneNumber.endsWith("000404")`, `request.amount == 404.01`. */
const TRIGGER = /^request\.(\w+)(?:\.endsWith\("(\d+)"\)| == ([\d.]+))(?: \|\||$)/

export function OutcomeSelect(props: {
  kind: string
  values: Readonly<Record<string, string>>
  change(name: string, text: string): void
}) {
  // A part of the scenario: loaded again when that is another one.
  const hits = useQuery({ queryKey: ['scenario', 'triggers'], queryFn: () => world('GET', '/scenario/hits') })
  const triggers = (hits.data?.rules ?? []).flatMap(({ rule, on, when }) => {
    const [, field = '', ending, amount = ''] = TRIGGER.exec(when ?? '') ?? []
    return field !== '' && on.includes(props.kind) ? [{ rule, field, ending, text: ending ?? amount }] : []
  })
  if (triggers.length === 0) return null
  return (
    <Select
      label="Use a number that fails"
      description="Fills in the number or amount of a rule of the scenario."
      placeholder="Choose what happens"
      searchable
      w={{ base: '100%', sm: 440 }}
      data={triggers.map(({ rule, text }) => ({ value: rule, label: `${rule} (${text})` }))}
      value={null}
      onChange={(rule) => {
        const chosen = triggers.find((one) => one.rule === rule)
        if (!chosen) return
        const { field, ending, text } = chosen
        const before = props.values[field] ?? ''
        props.change(field, ending === undefined ? text : before.slice(0, -ending.length) + ending)
      }}
      data-testid="outcome"
    />
  )
}
