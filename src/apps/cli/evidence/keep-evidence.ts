/** Keeps the run of a judge as evidence, in the folder that `--evidence` names. */
import { join } from 'node:path'
import type { ReportDocument } from '../../../core/model/report-document.ts'
import { makeFolder } from '../../../hosts/node/file-access.ts'
import { merchantFileIn } from '../../../judge/subject.ts'
import type { Arguments, Flag } from '../command.ts'
import { writeNamed, writing } from '../write-file.ts'
import { circumstancesOf, type EvidenceRecord, evidenceRecordOf, judges } from './evidence-record.ts'

export const evidenceFlag: Flag = {
  name: 'evidence',
  value: 'folder',
  help: 'Save the verdict for mfano evidence.',
  names: 'files',
}

export function keepEvidence(given: Arguments, report: ReportDocument): void {
  const folder = given.get('evidence')
  const by = judges.find((one) => report.by === `mfano ${one}`)
  if (folder === undefined || by === undefined) return
  const isCommand = by !== 'coverage' && merchantFileIn(given.words) === undefined
  const command = isCommand ? given.words : []
  writeRecord(folder, evidenceRecordOf(by, report, circumstancesOf(given, by), command))
}

export function writeRecord(folder: string, record: EvidenceRecord): void {
  writing(folder, () => makeFolder(folder))
  writeNamed(join(folder, `${record.by}.json`), `${JSON.stringify(record, null, 2)}\n`)
}
