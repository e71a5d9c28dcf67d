/** Creates a world, from a scenario or a file. */
import { Anchor, Button, Card, FileInput, Group, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { submitting, useChange } from '../api/changes.ts'
import { server, world, worldAt } from '../api/client.ts'
import { PausedNote } from '../callbacks/paused-note.tsx'
import { ErrorNote } from '../parts/notes.tsx'

type Made = ControlAnswer<'POST', '/worlds'>

const modes = ['frozen', 'realtime'] as const
type Mode = (typeof modes)[number]

export function NewWorld() {
  const shipped = useQuery({ queryKey: ['scenarios'], queryFn: () => world('GET', '/scenarios') })
  const [id, setId] = useState('')
  const [scenario, setScenario] = useState('')
  const [seed, setSeed] = useState<number | string>('')
  const [mode, setMode] = useState<Mode>('frozen')
  const [file, setFile] = useState<File | null>(null)
  const make = useChange((): Promise<Made> => {
    const name = id.trim()
    if (file) return server('PUT', '/worlds/:id/file', { path: { id: name }, body: file })
    const chosen = { ...(name && { id: name }), ...(scenario && { scenario }), clock: { mode } }
    return server('POST', '/worlds', { body: { ...chosen, ...(seed !== '' && { seed: Number(seed) }) } })
  })
  return (
    <Card withBorder component="section" aria-label="Create a world">
      <form onSubmit={submitting(() => make.mutate())}>
        <Text fw={600} mb="xs">
          Create a world
        </Text>
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Name (optional)"
            size="xs"
            w={150}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            data-testid="new-world"
          />
          <Select
            label="Scenario"
            size="xs"
            w={190}
            searchable
            allowDeselect={false}
            disabled={file !== null}
            data={[{ value: '', label: "the server's" }, ...(shipped.data?.scenarios ?? []).map(({ name }) => name)]}
            value={scenario}
            onChange={(chosen) => setScenario(chosen ?? '')}
            data-testid="new-scenario"
          />
          <NumberInput
            label="Seed (optional)"
            size="xs"
            w={120}
            min={0}
            disabled={file !== null}
            value={seed}
            onChange={setSeed}
          />
          <Select
            label="Clock"
            size="xs"
            w={110}
            disabled={file !== null}
            data={modes}
            value={mode}
            onChange={(chosen) => chosen && setMode(chosen)}
            allowDeselect={false}
          />
          <FileInput
            label="Or from a .mfano file"
            size="xs"
            w={170}
            clearable
            clearButtonProps={{ 'aria-label': 'No file' }}
            value={file}
            onChange={(chosen) => {
              setFile(chosen)
              if (chosen && id.trim() === '') setId(nameOf(chosen))
            }}
          />
          <Button size="xs" type="submit" loading={make.isPending} data-testid="make-world">
            {file ? 'Upload' : 'Create'}
          </Button>
        </Group>
        {make.error && <ErrorNote error={make.error} />}
        {make.data && (
          <Text size="sm" mt="xs" role="status" className="break">
            <Anchor href={`${make.data.baseUrl}/_mfano/`}>{make.data.id}</Anchor> is ready at {make.data.baseUrl}
          </Text>
        )}
      </form>
      {make.data?.callbacksPaused && <PausedNote key={make.data.id} control={worldAt(make.data.baseUrl)} />}
    </Card>
  )
}

function nameOf({ name }: File): string {
  return name
    .replace(/\.mfano$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
