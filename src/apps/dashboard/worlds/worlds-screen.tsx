/** The page of worlds and snapshots. */
import { server } from '../api/client.ts'
import { Screen, Section } from '../parts/screen.tsx'
import { ExportCsv } from '../report/export-csv.tsx'
import { NewWorld } from './new-world.tsx'
import { SnapshotList } from './snapshot-list.tsx'
import { WorldList } from './world-list.tsx'

export function WorldsScreen() {
  return (
    <Screen
      title="Worlds"
      about="Isolated sandboxes: each has its own organisations, clock, scenario and payments."
      actions={<ExportCsv name="snapshots" list="/snapshots" words="Export snapshots" />}
    >
      <NewWorld />
      <Section title="All worlds" aside={<ExportCsv name="worlds" list="/worlds" of={server} />}>
        <WorldList />
      </Section>
      <SnapshotList />
    </Screen>
  )
}
