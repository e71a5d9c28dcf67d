import {
  Button,
  Group,
  type InputWrapperProps,
  Select,
  type SelectProps,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { type ControlId, type OperationAnswer, requestOf } from '../../../client/control.ts'
import { must } from '../../../core/model/must.ts'
import { submitting, useChange } from '../api/changes.ts'
import { anyOfServer, anyOfWorld } from '../api/client.ts'
import { declaredForms } from '../lists.gen.ts'
import { type Field, fieldOf, labelOf, toRequest } from './form-fields.ts'
import { Dim, ErrorNote } from './notes.tsx'

interface OperationFormProps<Id extends ControlId> {
  id: Id
  ask: readonly string[]
  button: string
  given?: Readonly<Record<string, unknown>>
  begin?: Readonly<Record<string, string>>
  choices?: Readonly<Record<string, SelectProps['data']>>
  done?(answer: OperationAnswer<Id>): void
  /** Keeps what was typed, to change it and ask again. */
  keeps?: true
}

export function OperationForm<Id extends ControlId>(props: OperationFormProps<Id>) {
  const { id, ask, button, given, begin = {}, choices = {}, done, keeps } = props
  const declared = must(declaredForms[id])
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const texts = { ...begin, ...typed }
  const fields = fieldsOf(id, ask)
  const act = useChange(
    () => {
      const { method, path, isOfServer } = declared
      const asked = requestOf({ ...declared, hasFields: true }, { ...toRequest(fields, texts), ...given })
      return (isOfServer ? anyOfServer : anyOfWorld)<OperationAnswer<Id>>(method, path, asked)
    },
    (answer) => {
      if (!keeps) setTyped({})
      done?.(answer)
    },
  )
  return (
    <form onSubmit={submitting(() => act.mutate())} noValidate data-testid={`form-${id}`}>
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
          {fields.map((field) => (
            <FieldBox
              key={field.name}
              field={field}
              choices={choices[field.name]}
              value={texts[field.name] ?? ''}
              change={(text) => setTyped((before) => ({ ...before, [field.name]: text }))}
            />
          ))}
        </SimpleGrid>
        <Group>
          <Button type="submit" size="xs" loading={act.isPending}>
            {button}
          </Button>
        </Group>
        {act.error && <ErrorNote error={act.error} />}
      </Stack>
    </form>
  )
}

function fieldsOf(id: ControlId, names: readonly string[]): Field[] {
  return names.map((name) => {
    const { schema, required, description } = must(declaredForms[id]?.fields.find((one) => one.name === name))
    return fieldOf(name, schema, required, description)
  })
}

/** With what is said about a field below it, all boxes of a line stand in one line. */
const ORDER: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description']

interface FieldBoxProps {
  field: Field
  value: string
  change(text: string): void
  choices?: SelectProps['data']
  isNamed?: boolean
}

export function FieldBox({ field, value, change, choices: known, isNamed }: FieldBoxProps) {
  const { name, type, choices, required, about } = field
  const label = isNamed ? (
    <>
      {labelOf(name)}{' '}
      <Dim span size="xs" className="mono">
        {name}
      </Dim>
    </>
  ) : (
    labelOf(name)
  )
  const common = { label, description: about, required, inputWrapperOrder: ORDER, 'data-testid': `field-${name}` }
  const typed = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value)
  if (known || type === 'choice' || type === 'switch')
    return (
      <Select
        {...common}
        clearable={!required}
        data={known ?? (type === 'switch' ? ['true', 'false'] : [...choices])}
        value={value || null}
        onChange={(chosen) => change(chosen ?? '')}
      />
    )
  if (type === 'json')
    return (
      <Textarea
        {...common}
        className="mono-input"
        style={{ gridColumn: '1 / -1' }}
        autosize
        minRows={3}
        maxRows={16}
        value={value}
        onChange={typed}
      />
    )
  return <TextInput {...common} inputMode={type === 'number' ? 'decimal' : undefined} value={value} onChange={typed} />
}
