/** Has both processes forget everything: what they know is in the database. */
import { db } from './book.mjs'

db.exec('DELETE FROM wage; DELETE FROM stray; DELETE FROM listed; DELETE FROM token')
