import type { ReportDocument } from '../inspect/report-document.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { type IncidentReport, incidentDocument, writeIncident } from './incident/incident-document.ts'
import { readIncident } from './incident/read-incident.ts'
import { type ReproduceOptions, reproduce } from './incident/reproduce.ts'
import { seenIn } from './incident/seen-payments.ts'
import { capsuleFolder } from './keep-capsule.ts'
import { jobsOf, PATIENCE, RUNS_PER_CPU } from './subject.ts'

interface IncidentOptions extends Pick<ReproduceOptions, 'seed' | 'tls' | 'signal' | 'withinMs'> {
  traffic: string
  app: string
  payments: string | undefined
  books: string | undefined
  jobs: number | undefined
  out: string | undefined
}

export async function reproduceIncident(options: IncidentOptions): Promise<ReportDocument<IncidentReport>> {
  const { app, out, ...rest } = options
  const merchant = readMerchantFile(app)
  const files = await readIncident(options)
  const seen = seenIn(files)
  const jobs = jobsOf(options.jobs, RUNS_PER_CPU)
  const reproduced = await reproduce(seen, {
    ...{ ...rest, ...PATIENCE, merchant, jobs, capsules: out ?? capsuleFolder() },
  })
  const written = out === undefined ? undefined : writeIncident(out, reproduced)
  return incidentDocument(merchant.name, { files, seen, reproduced, written })
}
