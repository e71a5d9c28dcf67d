import type { Libraries } from '../../model/kind.ts'
import { isRecord } from '../../model/must.ts'
import type { ResponseFaultRule } from '../../response-faults.ts'
import type { Layer } from './chain.ts'
import type { CallbackFaultRule } from './planned-faults.ts'
import type { ScenarioFile } from './scenario-schema.ts'

type Lists = NonNullable<ScenarioFile['directory']>
export type DirectoryEntry = NonNullable<Lists[keyof Lists]>[number]

/** The first entry of a name counts. */
export function entryName(one: DirectoryEntry): string {
  if (typeof one === 'string') return one
  if ('account' in one) return `${one.account} at bank ${one.bankCode}`
  return 'phone' in one ? one.phone : one.number
}

/** Nearest first: its settings replace others, its lists come before others, and its names count. */
export function layOver(layers: readonly Layer[]) {
  const files = layers.map(({ written }) => written)
  const nearest = <Key extends keyof ScenarioFile>(key: Key) => files.find((file) => file[key] !== undefined)?.[key]
  const directories = files.map(({ directory = {} }) => directory)
  return {
    seed: nearest('seed'),
    timezone: nearest('timezone'),
    holidays: nearest('holidays'),
    clock: overlay(files.map(({ clock }) => clock)),
    wallets: overlay(files.map(({ wallets }) => wallets)),
    directory: {
      unregistered: firstBy(entryName, ...directories.map(({ unregistered = [] }) => unregistered)),
      withoutMoney: firstBy(entryName, ...directories.map(({ withoutMoney = [] }) => withoutMoney)),
      subscribers: firstBy(entryName, ...directories.map(({ subscribers = [] }) => subscribers)),
      bankAccounts: firstBy(entryName, ...directories.map(({ bankAccounts = [] }) => bankAccounts)),
      businesses: firstBy(entryName, ...directories.map(({ businesses = [] }) => businesses)),
      cards: firstBy(entryName, ...directories.map(({ cards = [] }) => cards)),
    },
    rails: overlay(layers.map(({ rails }) => rails)),
    callbacks: {
      ...overlay(files.map(({ callbacks }) => callbacks)),
      retry: overlay(files.map(({ callbacks }) => callbacks?.retry)),
    },
    assumptions: overlay(files.map(({ assumptions }) => assumptions)),
    measured: overlay(files.map(({ measured }) => measured)),
    rules: byName(...layers.map(({ rules }) => rules)),
    callbackFaults: byName(...layers.map(({ callbackFaults }) => callbackFaults)),
    faults: byName(...layers.map(({ faults }) => faults)),
  }
}

export type Laid = ReturnType<typeof layOver>

export function printEffective(
  layers: readonly Layer[],
  { seed, libraries }: { seed: number; libraries: Libraries },
  parent = 'none',
): string {
  const { Document, isMap, isSeq } = libraries.yaml()
  const { rules, callbackFaults, faults, assumptions, measured, ...laid } = layOver(layers)
  const { name, description } = layers[0]?.written ?? {}
  // Names are written out, because a usual name depends on where the fault stands.
  const withNames = (list: readonly (CallbackFaultRule | ResponseFaultRule)[]) =>
    list.map((fault) => ({ ...fault.written, name: fault.name }))
  const whole = {
    ...{ name, description, extends: parent, ...laid, seed },
    rails: overlay(layers.map(({ written }) => written.rails)),
    callbacks: { ...laid.callbacks, faults: withNames(callbackFaults) },
    faults: withNames(faults),
    assumptions,
    measured,
    rules: rules.map(({ written }) => written),
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

function overlay<Section extends object>(sections: readonly (Section | undefined)[]): Partial<Section> {
  return Object.assign({}, ...sections.toReversed())
}

function byName<One extends { name: string }>(...lists: readonly (readonly One[])[]): One[] {
  return firstBy(({ name }) => name, ...lists)
}

function firstBy<One>(keyOf: (one: One) => string, ...lists: readonly (readonly One[])[]): One[] {
  const found = new Map<string, One>()
  for (const one of lists.flat()) if (!found.has(keyOf(one))) found.set(keyOf(one), one)
  return [...found.values()]
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
