/** Prepared INSERTs for rows that share a few texts. */
import type { Sql, Statement } from '../sql.ts'

type Texts = readonly (string | null)[]
type Insertion = Pick<Statement<never>, 'run'>

/**
 * One statement for each combination of texts in the first columns, such as kind and state. A text inside of a
 * statement need not be passed to SQLite with every row: passing them takes some 5 % of the processor time of a payment
 * that falls due. Only for the few texts that come from mfano itself.
 */
export class Insertions {
  readonly #sql: Sql
  readonly #into: string
  readonly #marks: string
  readonly #change: string | undefined
  /** Searched in order: they are few, and a key would have to be made for every row. */
  readonly #known: { texts: Texts; insertion: Insertion }[] = []

  constructor(sql: Sql, into: string, marks: string, change?: string) {
    this.#sql = sql
    this.#into = into
    this.#marks = marks
    this.#change = change
  }

  of(...texts: Texts): Insertion {
    for (const known of this.#known) if (isSame(known.texts, texts)) return known.insertion
    const row = `(${texts.map(literal).join(', ')}, ${this.#marks})`
    const insertion =
      this.#change === undefined
        ? this.#sql.insertion(this.#into, row)
        : this.#sql.change(this.#into, row, this.#change)
    this.#known.push({ texts, insertion })
    return insertion
  }
}

function literal(text: string | null): string {
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`
}

function isSame(texts: Texts, others: Texts): boolean {
  for (let i = 0; i < texts.length; i++) if (texts[i] !== others[i]) return false
  return true
}
