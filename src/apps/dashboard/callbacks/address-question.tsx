/** Asks where to send the callbacks of an imported world. */
import { Alert, Button, Card, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Control, ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/counted.ts'
import { submitting, useChange } from '../api/changes.ts'
import { Dim } from '../parts/dim.tsx'
import { ErrorNote } from '../parts/notes.tsx'

type Held = ControlAnswer<'GET', '/callbacks/held'>['held'][number]
type Way = 'hold' | 'as-it-is' | 'elsewhere'

interface Choice {
  way: Way
  to: string
}

const ways: { value: Way; label: string }[] = [
  { value: 'hold', label: 'Hold' },
  { value: 'as-it-is', label: 'Send there' },
  { value: 'elsewhere', label: 'Send elsewhere' },
]

export function HeldAddresses({ control, held, close }: { control: Control; held: readonly Held[]; close(): void }) {
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const choiceOf = (address: string): Choice => choices[address] ?? { way: 'hold', to: '' }
  const release = useChange(async () => {
    for (const { address } of held) {
      const { way, to } = choiceOf(address)
      if (way === 'hold') continue
      const body = way === 'as-it-is' ? { from: address } : { from: address, to: to.trim() }
      await control('POST', '/callbacks/release', { body })
    }
  }, close)
  return (
    <Modal
      opened
      onClose={close}
      title="Where do its callbacks go now?"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="held-addresses"
    >
      <form onSubmit={submitting(() => release.mutate())}>
        <Stack gap="sm">
          <Text size="sm">
            The file has addresses of somebody else. They receive nothing until you choose, here or on the page of a
            held callback.
          </Text>
          {held.map((one) => (
            <AddressCard
              key={one.address}
              of={one}
              choice={choiceOf(one.address)}
              choose={(choice) => setChoices({ ...choices, [one.address]: choice })}
            />
          ))}
          {release.error && <ErrorNote error={release.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={release.isPending} data-testid="apply-addresses">
              Apply
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function AddressCard(props: { of: Held; choice: Choice; choose(choice: Choice): void }) {
  const { of, choice, choose } = props
  const { address, waiting, coming } = of
  return (
    <Card withBorder component="section" aria-label={address} data-testid="held-address">
      <Text fw={600} className="break">
        {address}
      </Text>
      <Dim>
        {counted(waiting, 'callback')} held, {counted(coming, 'payment')} may add one
      </Dim>
      <SegmentedControl
        mt="xs"
        size="xs"
        aria-label={`Callbacks for ${address}`}
        data={ways}
        value={choice.way}
        onChange={(way) => choose({ ...choice, way })}
      />
      {choice.way === 'elsewhere' && (
        <TextInput
          mt="xs"
          size="xs"
          required
          type="url"
          label="In the place of this host"
          placeholder="http://localhost:3000"
          value={choice.to}
          onChange={(event) => choose({ ...choice, to: event.currentTarget.value })}
          data-testid="new-address"
        />
      )}
    </Card>
  )
}

export function HeldNote({ ask }: { ask(): void }) {
  return (
    <Alert color="orange" title="Held" mt="xs" data-testid="held-note">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Its address came with a world file. Choose where its callbacks go, and it is sent.</Text>
        <Button size="xs" variant="default" onClick={ask}>
          Choose where it goes
        </Button>
      </Group>
    </Alert>
  )
}
