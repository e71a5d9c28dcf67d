/** A form for a request of any kind of payment. */
import { type InputWrapperProps, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { Dim } from '../parts/dim.tsx'
import { type Field, labelOf } from './form-fields.ts'

/** With what is said about a field below it, all boxes of a line stand in one line. */
const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description']

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
  const label = (
    <>
      {labelOf(name)}{' '}
      <Dim span size="xs" className="mono">
        {name}
      </Dim>
    </>
  )
  const common = { label, description: about, required, inputWrapperOrder: ORDER, 'data-testid': `field-${name}` }
  const typed = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value)
  if (type === 'choice' || type === 'switch')
    return (
      <Select
        {...common}
        clearable={!required}
        data={type === 'switch' ? ['true', 'false'] : [...choices]}
        value={value || null}
        onChange={(chosen) => change(chosen ?? '')}
      />
    )
  if (type === 'json') return <Textarea {...common} className="mono" autosize value={value} onChange={typed} />
  return <TextInput {...common} inputMode={type === 'number' ? 'decimal' : undefined} value={value} onChange={typed} />
}
