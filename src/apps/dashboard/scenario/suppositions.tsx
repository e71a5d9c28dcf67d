/** Suppositions about the world for a request that is tried. */
import { Accordion, Group, NumberInput, TextInput } from '@mantine/core'
import type { Supposed as Supposition } from '../../../client/control-answers.ts'

const counts = [
  ['succeeded', 'Earlier ones that succeeded'],
  ['failed', 'that failed'],
  ['pending', 'that are pending'],
  ['paidToday', 'paid today'],
] as const
type Counted = (typeof counts)[number][0]

export type SuppositionFields = Record<'nth' | 'at' | 'wallet' | 'tokenAge' | Counted, string | number>

export const nothingSupposed: SuppositionFields = {
  nth: '',
  at: '',
  wallet: '',
  tokenAge: '',
  succeeded: '',
  failed: '',
  pending: '',
  paidToday: '',
}

export function suppositionOf({ nth, at, wallet, tokenAge, ...history }: SuppositionFields): Supposition {
  const given = Object.entries(history).filter(([, count]) => count !== '')
  return {
    ...(nth !== '' && { nth: Number(nth) }),
    ...(at !== '' && { at: String(at).trim() }),
    ...(wallet !== '' && { wallet: Number(wallet) }),
    ...(tokenAge !== '' && { tokenAge: String(tokenAge).trim() }),
    ...(given.length > 0 && { history: Object.fromEntries(given.map(([name, count]) => [name, Number(count)])) }),
  }
}

export function Suppositions({ value, change }: { value: SuppositionFields; change(next: SuppositionFields): void }) {
  const set = (name: keyof SuppositionFields) => (next: string | number) => change({ ...value, [name]: next })
  const told = Object.values(value).filter((one) => one !== '').length
  return (
    <Accordion variant="contained" mt="xs">
      <Accordion.Item value="supposed">
        <Accordion.Control>Suppose{told > 0 ? ` (${told})` : '…'}</Accordion.Control>
        <Accordion.Panel>
          <Group gap="xs" align="flex-end">
            <NumberInput label="It is the n-th" min={1} max={1000} w={110} value={value.nth} onChange={set('nth')} />
            <TextInput
              label="Simulated time"
              placeholder="2025-01-24T16:28:00"
              w={190}
              value={value.at}
              onChange={(event) => set('at')(event.currentTarget.value)}
              data-testid="suppose-at"
            />
            <NumberInput
              label="The wallet holds"
              min={0}
              w={130}
              value={value.wallet}
              onChange={set('wallet')}
              data-testid="suppose-wallet"
            />
            <TextInput
              label="Age of the token"
              placeholder="2m"
              w={120}
              value={value.tokenAge}
              onChange={(event) => set('tokenAge')(event.currentTarget.value)}
            />
            {counts.map(([name, label]) => (
              <NumberInput key={name} label={label} min={0} w={190} value={value[name]} onChange={set(name)} />
            ))}
          </Group>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
