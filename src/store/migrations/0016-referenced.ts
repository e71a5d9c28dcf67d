/**
 * Payments are found by their callers' references in a table of their own, which is brought up to date for many at once:
 * references come in no order, so an index wrote nearly a page for each payment.
 */
export const referenced = `
DROP INDEX payment_reference;
CREATE TABLE referenced (
  reference_id TEXT NOT NULL,
  payment_seq INTEGER NOT NULL,
  PRIMARY KEY (reference_id, payment_seq)
) WITHOUT ROWID;
INSERT INTO referenced SELECT reference_id, seq FROM payment WHERE reference_id IS NOT NULL ORDER BY reference_id, seq;
INSERT OR REPLACE INTO meta (key, value) SELECT 'referenced', coalesce(max(seq), 0) FROM payment;
`
