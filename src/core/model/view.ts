/** Everything that code needs to present a record. A world's core implements it. */
import type { Assumptions } from './assumption.ts'
import type { Chance } from './chance.ts'
import type { Directory } from './directory.ts'
import type { Organisation } from './payment.ts'
import type { InstantUs } from './time.ts'

export interface View {
  readonly store: {
    readonly organisations: {
      byId(id: number): Organisation
      byUuid(uuid: string): Organisation | undefined
      hasChildren(parentId: number): boolean
    }
  }
  readonly ids: Chance
  readonly clock: { now(): InstantUs }
  readonly scenario: {
    readonly assumptions: Assumptions
    readonly directory: Pick<Directory, 'nameOf' | 'business' | 'bankAccount'>
  }
}
