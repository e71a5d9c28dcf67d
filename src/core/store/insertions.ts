/** Rows of a table of which many share a few texts. */
import type { Sql, Statement } from '../sql.ts'

type Texts = readonly (string | null)[]
type Insertion = Pick<Statement<never>, 'run'>

/**
 * INSERTs for a table, or changes of its rows, one for each combination of texts that stand in its first columns, such as a kind and a state:
 * a text that is part of the statement need not be handed to SQLite with every row, which costs more than to store it.
 * For texts that come from mfano itself, of which there are few. Handed over, they take some 5 % of the processor time of a
 * payment that falls due.
 */
export class Insertions {
  readonly #sql: Sql
  readonly #into: string
  readonly #marks: string
  readonly #change: string | undefined
  /** Few, so that they are looked through: a key would have to be made for every row. */
  readonly #known: { texts: Texts; insertion: Insertion }[] = []

  /** `into`: up to VALUES; `marks`: for the values behind the texts; `change`: as in `Sql.change`. */
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
