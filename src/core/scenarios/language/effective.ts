/** Prints a scenario and all that it extends and includes as one text. */
import type { Libraries } from '../../model/libraries.ts'
import { isRecord } from '../../model/must.ts'
import { writtenAssumptions } from './drawn-assumptions.ts'
import type { WireFaults } from './fault-layers.ts'
import type { Rule } from './rules.ts'
import type { ScenarioFile } from './scenario-schema.ts'

export interface WrittenLayer {
  written: Partial<ScenarioFile>
  wire: WireFaults
}

export function printEffective(
  layers: readonly WrittenLayer[],
  rules: readonly Rule[],
  { seed, include = [], libraries }: { seed: number; include?: readonly string[]; libraries: Libraries },
): string {
  const { Document, isMap, isSeq } = libraries.yaml()
  const files = layers.map(({ written }) => written)
  const [own] = files
  const whole: Record<string, unknown> = {
    name: own?.name,
    description: own?.description,
    extends: 'none',
    include,
    seed,
    timezone: files.find((file) => file.timezone !== undefined)?.timezone,
    holidays: files.find((file) => file.holidays !== undefined)?.holidays,
    bankingHours: files.find((file) => file.bankingHours !== undefined)?.bankingHours,
    clock: overlay(files.map((file) => file.clock)),
    wallets: overlay(files.map((file) => file.wallets)),
    directory: {
      unregistered: unique(
        files.flatMap((file) => file.directory?.unregistered ?? []),
        (one) => one,
      ),
      withoutMoney: unique(
        files.flatMap((file) => file.directory?.withoutMoney ?? []),
        (one) => one,
      ),
      subscribers: unique(
        files.flatMap((file) => file.directory?.subscribers ?? []),
        (one) => one.phone,
      ),
      bankAccounts: unique(
        files.flatMap((file) => file.directory?.bankAccounts ?? []),
        (one) => `${one.bankCode} ${one.account}`,
      ),
      businesses: unique(
        files.flatMap((file) => file.directory?.businesses ?? []),
        (one) => one.number,
      ),
      cards: unique(
        files.flatMap((file) => file.directory?.cards ?? []),
        (one) => one.number,
      ),
    },
    rails: overlay(files.map((file) => file.rails)),
    callbacks: {
      ...overlay(files.map((file) => file.callbacks)),
      retry: overlay(files.map((file) => file.callbacks?.retry)),
      faults: named(layers, 'callbacks', (file) => file.callbacks?.faults),
    },
    faults: named(layers, 'answers', (file) => file.faults),
    assumptions: overlay(files.map((file) => file.assumptions && writtenAssumptions(file.assumptions))),
    measured: overlay(files.map((file) => file.measured)),
    rules: rules.map((rule) => rule.written),
  }
  const document = new Document(prune(whole), { aliasDuplicateObjects: false })
  const list = isMap(document.contents) ? document.contents.get('rules') : undefined
  if (isSeq(list)) {
    for (const [i, item] of list.items.entries()) {
      const rule = rules[i]
      if (rule && isMap(item)) item.commentBefore = ` ${rule.file}:${rule.line}`
    }
  }
  return document.toString({ lineWidth: 120 })
}

function overlay(sections: readonly (object | undefined)[]): Record<string, unknown> {
  return Object.assign({}, ...sections.toReversed())
}

function unique<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const found = new Map<string, T>()
  for (const one of all) if (!found.has(keyOf(one))) found.set(keyOf(one), one)
  return [...found.values()]
}

/** Writes names out, because a default name depends on where the fault stands. */
function named(
  layers: readonly WrittenLayer[],
  list: keyof WireFaults,
  listOf: (file: Partial<ScenarioFile>) => readonly object[] | undefined,
): object[] {
  const all = layers.flatMap(({ written, wire }) =>
    (listOf(written) ?? []).map((fault, i) => ({ ...fault, name: wire[list][i]?.name ?? '' })),
  )
  return unique(all, (fault) => fault.name)
}

function prune(value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).flatMap(([key, one]) => {
    if (one === undefined || (Array.isArray(one) && one.length === 0 && key !== 'rules')) return []
    if (!isRecord(one)) return [[key, one]]
    const inner = key === 'rails' ? one : prune(one)
    return Object.keys(inner).length > 0 ? [[key, inner]] : []
  })
  return Object.fromEntries(kept)
}
