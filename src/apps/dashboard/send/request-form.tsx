/** A form for a request of any kind of payment. */
import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { Field } from './form-fields.ts'

export function RequestForm(props: {
  fields: readonly Field[]
  values: Readonly<Record<string, string>>
  change(name: string, text: string): void
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="sm">
      {props.fields.map((field) => (
        <Box
          key={field.name}
          field={field}
          value={props.values[field.name] ?? ''}
          change={(text) => props.change(field.name, text)}
        />
      ))}
    </SimpleGrid>
  )
}

function Box({ field, value, change }: { field: Field; value: string; change(text: string): void }) {
  const { name, type, choices, required, about } = field
  const common = { label: name, description: about, withAsterisk: required, 'data-testid': `field-${name}` }
  const typed = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value)
  if (type === 'choice' || type === 'switch')
    return (
      <Select
        {...common}
        clearable
        data={type === 'switch' ? ['true', 'false'] : [...choices]}
        value={value || null}
        onChange={(chosen) => change(chosen ?? '')}
      />
    )
  if (type === 'json') return <Textarea {...common} className="mono" autosize value={value} onChange={typed} />
  return <TextInput {...common} inputMode={type === 'number' ? 'decimal' : undefined} value={value} onChange={typed} />
}
