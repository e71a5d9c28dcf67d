/** Organisations with their credentials, users and subscriptions. */
import type { ApiUser, JsonObject, Organisation, Subscription } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import { insertRecord, type Stored } from '../sql.ts'
import { Table } from './counter-table.ts'

export class Organisations extends Table {
  /** Cached, because organisations are few and read with every request; only `collectionCallbackUrl` ever changes. */
  readonly #cache = new Map<number, Organisation>()
  readonly #ids = new Map<string, number>()

  insert(organisation: Organisation): void {
    insertRecord(this.sql, 'organisation', organisation)
  }

  setCollectionCallbackUrl(id: number, url: string | null, atUs: InstantUs): void {
    this.#cache.delete(id)
    this.run('UPDATE organisation SET collectionCallbackUrl = ?, updatedAtUs = ? WHERE id = ?', url, atUs, id)
  }

  byId(id: number): Organisation {
    const cached = this.#cache.get(id)
    if (cached) return cached
    const found = this.row<Organisation>('SELECT * FROM organisation WHERE id = ?', id)
    if (!found) throw new Error(`Organisation ${id} is referred to but not stored`)
    this.#keep(this.#cache, id, found)
    return found
  }

  byUuid(uuid: string): Organisation | undefined {
    const known = this.#ids.get(uuid)
    if (known !== undefined) return this.byId(known)
    const found = this.row<Organisation>('SELECT * FROM organisation WHERE uuid = ?', uuid)
    if (found) this.#keep(this.#ids, uuid, found.id)
    return found
  }

  byReference(uniqueReference: string): Organisation | undefined {
    return this.row('SELECT * FROM organisation WHERE uniqueReference = ?', uniqueReference)
  }

  all(): Organisation[] {
    return this.rows('SELECT * FROM organisation ORDER BY id')
  }

  childrenOf(parentId: number): Organisation[] {
    return this.rows('SELECT * FROM organisation WHERE parentId = ? ORDER BY id', parentId)
  }

  hasChildren(parentId: number): boolean {
    return this.row('SELECT 1 FROM organisation WHERE parentId = ? LIMIT 1', parentId) !== undefined
  }

  addCredential(organisationId: number, apiKey: string, secretSha256: string, createdAtUs: InstantUs): void {
    insertRecord(this.sql, 'credential', { apiKey, organisationId, secretSha256, createdAtUs })
  }

  credential(apiKey: string): { organisationId: number; secretSha256: string } | undefined {
    return this.row('SELECT organisationId, secretSha256 FROM credential WHERE apiKey = ?', apiKey)
  }

  apiKeysOf(organisationId: number): string[] {
    const text = 'SELECT apiKey FROM credential WHERE organisationId = ? ORDER BY apiKey'
    return this.rows<{ apiKey: string }>(text, organisationId).map(({ apiKey }) => apiKey)
  }

  addUser(user: ApiUser, id: number, createdAtUs: InstantUs): void {
    insertRecord(this.sql, 'api_user', { id, ...user, createdAtUs })
  }

  hasUser(username: string): boolean {
    return this.row('SELECT 1 FROM api_user WHERE username = ?', username) !== undefined
  }

  #keep<K, V>(cache: Map<K, V>, key: K, value: V): void {
    cache.set(key, value)
    this.undo.onRollback(() => cache.delete(key))
  }

  usersOf(organisationId: number): JsonObject[] {
    const text =
      'SELECT username, userType, firstName, lastName, email, roles FROM api_user WHERE organisationId = ? ORDER BY id'
    const rows = this.rows<Stored<Omit<ApiUser, 'organisationId'>, 'roles'>>(text, organisationId)
    return rows.map((row) => ({ ...row, roles: JSON.parse(row.roles) }))
  }

  subscription(organisationId: number): Subscription | undefined {
    const row = this.row<Stored<Subscription>>('SELECT * FROM subscription WHERE organisationId = ?', organisationId)
    return row && { ...row, active: row.active === 1 }
  }

  saveSubscription(subscription: Subscription): void {
    insertRecord(this.sql, 'subscription', subscription, 'REPLACE')
  }
}
