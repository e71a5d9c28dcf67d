import type { ReportDocument } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type IncidentReport, incidentDocument, writeIncident } from './incident/incident-document.ts'
import { readIncident } from './incident/read-incident.ts'
import { type ReproduceOptions, reproduce } from './incident/reproduce.ts'
import { seenIn } from './incident/seen-payments.ts'
import { capsuleFolder } from './keep-capsule.ts'
import type { JudgeOptions } from './subject.ts'

interface IncidentOptions extends JudgeOptions, Pick<ReproduceOptions, 'seed' | 'withinMs'> {
  traffic: string
  app: string
  payments: string | undefined
  books: string | undefined
  out: string | undefined
}

export async function reproduceIncident(options: IncidentOptions): Promise<ReportDocument<IncidentReport>> {
  const { app, out, ...rest } = options
  const merchant = readMerchantFile(app)
  const files = await readIncident(options)
  const seen = seenIn(files)
  const reproduced = await reproduce(seen, { ...rest, merchant, capsules: out ?? capsuleFolder() })
  const written = out === undefined ? undefined : writeIncident(out, reproduced)
  return incidentDocument(merchant.name, { files, seen, reproduced, written })
}
