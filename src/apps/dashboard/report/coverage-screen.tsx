/** The page of coverage. */
import { worldUrl } from '../api/client.ts'
import { Screen } from '../parts/screen.tsx'
import { ReportFrame } from './report-frame.tsx'

export function CoverageScreen() {
  return (
    <Screen
      title="Coverage"
      about="How much of the service this world exercised, and the commands that exercise the rest."
    >
      <ReportFrame address={`${worldUrl}/_mfano/coverage?format=html`} />
    </Screen>
  )
}
