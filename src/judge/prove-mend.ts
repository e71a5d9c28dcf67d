import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keysIn } from '../core/model/must.ts'
import { didYouMean } from '../core/model/problems.ts'
import { packageVersion } from '../hosts/node/package.ts'
import { wallNowMs } from '../hosts/node/wall.ts'
import { findingRecords } from '../inspect/finding.ts'
import type { ReportDocument } from '../inspect/report-document.ts'
import { reportForms } from '../inspect/report-lists.ts'
import { appFindings } from './app/app-findings.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { readSchedules } from './explore/explore-document.ts'
import { type ProveOptions, prove } from './prove/prove.ts'
import { proveDocument, type Receipt, scheduleRun } from './prove/prove-document.ts'
import { openTrees } from './prove/trees.ts'
import { type JudgeOptions, Unusable } from './subject.ts'

const RECEIPT = { markdown: 'receipt.md', json: 'receipt.json' } as const

interface MendOptions extends JudgeOptions, Pick<ProveOptions, 'finding' | 'withinMs'> {
  seed: number
  file: string
  from: string | undefined
  incident: string | undefined
  out: string | undefined
}

export async function proveMend(options: MendOptions): Promise<ReportDocument<Receipt>> {
  const { file, from, finding, incident: folder, out, seed, signal } = options
  const { prepare } = readMerchantFile(file)
  const codes = [...Object.keys(findingRecords), ...Object.keys(appFindings)]
  if (finding !== undefined && !codes.includes(finding))
    throw new Unusable(`expected a code such as paid_twice, got ${finding}.${didYouMean(finding, codes)}`, {
      ...{ code: 'UNKNOWN_FINDING', option: 'finding' },
    })
  const incident = folder === undefined ? undefined : readSchedules(folder)
  if (incident?.length === 0)
    throw new Unusable(`expected a folder with files *.schedule.json, got ${folder}, which has none.`, {
      ...{ code: 'NO_SCHEDULES', option: 'incident' },
    })
  const receipts = out === undefined ? [] : keysIn(RECEIPT).map((form) => join(out, RECEIPT[form]))
  const own = [...receipts, ...(folder === undefined ? [] : [folder])]
  const trees = await openTrees({ file, from, prepare, own, signal })
  try {
    const files = { before: trees.before.file, now: file }
    const proof = await prove(files, { ...options, incident, ended: (one) => options.ended(scheduleRun(one)) })
    const at = new Date(wallNowMs()).toISOString()
    const report = proveDocument(proof, { trees, version: packageVersion(), seed, at })
    if (out !== undefined) await keepReceipt(out, report)
    return report
  } finally {
    trees.remove()
  }
}

async function keepReceipt(folder: string, report: ReportDocument<Receipt>): Promise<void> {
  for (const form of keysIn(RECEIPT)) {
    const file = join(folder, RECEIPT[form])
    rmSync(file, { force: true })
    if (report.data.verdict !== 'proved') continue
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, await reportForms[form][1](report))
  }
}
