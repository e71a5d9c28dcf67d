/** Suppositions about the world for a request that is tried. */
import { Group, TextInput } from '@mantine/core'
import type { Supposed as Supposition } from '../../../client/control-answers.ts'
import { recordFor } from '../../../core/model/must.ts'
import { Folds } from '../parts/folds.tsx'

const fields = [
  { name: 'nth', label: 'It is the n-th', width: 110 },
  { name: 'at', label: 'Simulated time', example: '2025-01-24T16:28:00', width: 210 },
  { name: 'wallet', label: 'The wallet holds', width: 130 },
  { name: 'tokenAge', label: 'Age of the token', example: '2m', width: 140 },
  { name: 'succeeded', label: 'Earlier ones that succeeded', width: 210 },
  { name: 'failed', label: 'Earlier ones that failed', width: 210 },
  { name: 'pending', label: 'Earlier ones that are pending', width: 210 },
  { name: 'paidToday', label: 'Paid today', width: 130 },
] as const

export type SuppositionFields = Record<(typeof fields)[number]['name'], string>

export const nothingSupposed: SuppositionFields = recordFor(
  fields.map(({ name }) => name),
  () => '',
)

export function suppositionOf({ nth, at, wallet, tokenAge, ...history }: SuppositionFields): Supposition {
  const given = Object.entries(history).filter(([, count]) => count !== '')
  return {
    ...(nth !== '' && { nth: Number(nth) }),
    ...(at !== '' && { at: at.trim() }),
    ...(wallet !== '' && { wallet: Number(wallet) }),
    ...(tokenAge !== '' && { tokenAge: tokenAge.trim() }),
    ...(given.length > 0 && { history: Object.fromEntries(given.map(([name, count]) => [name, Number(count)])) }),
  }
}

export function Suppositions({ value, change }: { value: SuppositionFields; change(next: SuppositionFields): void }) {
  const told = Object.values(value).filter((one) => one !== '').length
  const boxes = (
    <Group gap="xs" align="flex-end">
      {fields.map(({ name, label, width, ...more }) => (
        <TextInput
          key={name}
          label={label}
          description={'example' in more && `such as ${more.example}`}
          {...(!('example' in more) && { type: 'number', min: 0 })}
          w={width}
          value={value[name]}
          onChange={(event) => change({ ...value, [name]: event.currentTarget.value })}
          data-testid={`suppose-${name}`}
        />
      ))}
    </Group>
  )
  return <Folds mt="xs" of={[['supposed', boxes, `Suppose${told > 0 ? ` (${told})` : '…'}`]]} />
}
