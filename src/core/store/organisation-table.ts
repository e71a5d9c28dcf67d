/** Organisations with their credentials, users and subscriptions. */
import { must } from '../model/must.ts'
import type { ApiUser, JsonObject, Organisation, Subscription } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, Statement } from '../sql.ts'
import type { UndoLog } from './counter-table.ts'

interface Row {
  id: number
  uuid: string
  name: string
  phone_number: string
  email: string
  unique_reference: string
  collection_callback_url: string | null
  parent_id: number | null
  created_at_us: number
  updated_at_us: number
}
export class Organisations {
  readonly #sql: Sql
  readonly #byId: Statement<Row>
  readonly #byUuid: Statement<Row>
  readonly #childrenOf: Statement<Row>
  readonly #undo: UndoLog
  /** Cached, because organisations are few and read with every request; only `collection_callback_url` ever changes. */
  readonly #cache = new Map<number, Organisation>()
  readonly #ids = new Map<string, number>()

  constructor(sql: Sql, undo: UndoLog) {
    this.#sql = sql
    this.#undo = undo
    this.#byId = sql.prepare('SELECT * FROM organisation WHERE id = ?')
    this.#byUuid = sql.prepare('SELECT * FROM organisation WHERE uuid = ?')
    this.#childrenOf = sql.prepare('SELECT * FROM organisation WHERE parent_id = ? ORDER BY id')
  }

  insert(o: Organisation): void {
    this.#sql
      .prepare(
        `INSERT INTO organisation (id, uuid, name, phone_number, email, unique_reference, collection_callback_url,
           parent_id, created_at_us, updated_at_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        o.id,
        o.uuid,
        o.name,
        o.phoneNumber,
        o.email,
        o.uniqueReference,
        o.collectionCallbackUrl,
        o.parentId,
        o.createdAtUs,
        o.updatedAtUs,
      )
  }

  save({ id, uuid, name, parentId }: Pick<Organisation, 'id' | 'uuid' | 'name' | 'parentId'>): void {
    this.#ids.delete(this.byId(id).uuid)
    this.#cache.delete(id)
    this.#sql
      .prepare('UPDATE organisation SET uuid = ?, name = ?, parent_id = ? WHERE id = ?')
      .run(uuid, name, parentId, id)
  }

  setCollectionCallbackUrl(id: number, url: string | null, atUs: InstantUs): void {
    this.#cache.delete(id)
    this.#sql
      .prepare('UPDATE organisation SET collection_callback_url = ?, updated_at_us = ? WHERE id = ?')
      .run(url, atUs, id)
  }

  byId(id: number): Organisation {
    const cached = this.#cache.get(id)
    if (cached) return cached
    const found = toOrganisation(this.#byId.get(id))
    if (!found) throw new Error(`Organisation ${id} is referred to but not stored`)
    this.#keep(this.#cache, id, found)
    return found
  }

  byUuid(uuid: string): Organisation | undefined {
    const known = this.#ids.get(uuid)
    if (known !== undefined) return this.byId(known)
    const found = toOrganisation(this.#byUuid.get(uuid))
    if (found) this.#keep(this.#ids, uuid, found.id)
    return found
  }

  byReference(uniqueReference: string): Organisation | undefined {
    return toOrganisation(
      this.#sql.prepare<Row>('SELECT * FROM organisation WHERE unique_reference = ?').get(uniqueReference),
    )
  }

  all(): Organisation[] {
    return this.#sql
      .prepare<Row>('SELECT * FROM organisation ORDER BY id')
      .all()
      .map((row) => must(toOrganisation(row)))
  }

  childrenOf(parentId: number): Organisation[] {
    return this.#childrenOf.all(parentId).map((row) => must(toOrganisation(row)))
  }

  hasChildren(parentId: number): boolean {
    return this.#sql.prepare('SELECT 1 FROM organisation WHERE parent_id = ? LIMIT 1').get(parentId) !== undefined
  }

  addCredential(organisationId: number, apiKey: string, secretSha256: string, atUs: InstantUs): void {
    this.#sql
      .prepare('INSERT INTO credential (api_key, organisation_id, secret_sha256, created_at_us) VALUES (?, ?, ?, ?)')
      .run(apiKey, organisationId, secretSha256, atUs)
  }

  credential(apiKey: string): { organisationId: number; secretSha256: string } | undefined {
    const row = this.#sql
      .prepare<{ organisation_id: number; secret_sha256: string }>(
        'SELECT organisation_id, secret_sha256 FROM credential WHERE api_key = ?',
      )
      .get(apiKey)
    return row && { organisationId: row.organisation_id, secretSha256: row.secret_sha256 }
  }

  apiKeysOf(organisationId: number): string[] {
    return this.#sql
      .prepare<{ api_key: string }>('SELECT api_key FROM credential WHERE organisation_id = ? ORDER BY api_key')
      .all(organisationId)
      .map((row) => row.api_key)
  }

  addUser(user: ApiUser, id: number, atUs: InstantUs): void {
    this.#sql
      .prepare(
        `INSERT INTO api_user (id, organisation_id, username, user_type, first_name, last_name, email, roles, created_at_us)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        user.organisationId,
        user.username,
        user.userType,
        user.firstName,
        user.lastName,
        user.email,
        JSON.stringify(user.roles),
        atUs,
      )
  }

  hasUser(username: string): boolean {
    return this.#sql.prepare('SELECT 1 FROM api_user WHERE username = ?').get(username) !== undefined
  }

  #keep<K, V>(cache: Map<K, V>, key: K, value: V): void {
    cache.set(key, value)
    this.#undo.onRollback(() => cache.delete(key))
  }

  usersOf(organisationId: number): JsonObject[] {
    return this.#sql
      .prepare<{
        username: string
        user_type: string
        first_name: string
        last_name: string
        email: string
        roles: string
      }>('SELECT * FROM api_user WHERE organisation_id = ? ORDER BY id')
      .all(organisationId)
      .map((row) => ({
        username: row.username,
        userType: row.user_type,
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        roles: JSON.parse(row.roles),
      }))
  }

  subscription(organisationId: number): Subscription | undefined {
    const row = this.#sql
      .prepare<{ organisation_id: number; uuid: string; active: number; created_at_us: number; updated_at_us: number }>(
        'SELECT * FROM subscription WHERE organisation_id = ?',
      )
      .get(organisationId)
    return (
      row && {
        organisationId: row.organisation_id,
        uuid: row.uuid,
        active: row.active === 1,
        createdAtUs: row.created_at_us,
        updatedAtUs: row.updated_at_us,
      }
    )
  }

  saveSubscription(s: Subscription): void {
    this.#sql
      .prepare(
        `INSERT INTO subscription (organisation_id, uuid, active, created_at_us, updated_at_us) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (organisation_id) DO UPDATE SET active = excluded.active, updated_at_us = excluded.updated_at_us`,
      )
      .run(s.organisationId, s.uuid, s.active ? 1 : 0, s.createdAtUs, s.updatedAtUs)
  }
}

function toOrganisation(row: Row | undefined): Organisation | undefined {
  if (!row) return undefined
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    phoneNumber: row.phone_number,
    email: row.email,
    uniqueReference: row.unique_reference,
    collectionCallbackUrl: row.collection_callback_url,
    parentId: row.parent_id,
    createdAtUs: row.created_at_us,
    updatedAtUs: row.updated_at_us,
  }
}
