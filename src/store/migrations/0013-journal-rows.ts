/** Entries of the journal that were committed together become one row, and are found by their payment as before. */
export const journalRows = `
CREATE TABLE journal_row (
  first INTEGER PRIMARY KEY,
  at_us INTEGER NOT NULL,
  -- The newest payment that an entry of the row made; of a payment's later entries, journal_again tells.
  last_payment INTEGER,
  entries TEXT NOT NULL
);
CREATE TABLE journal_again (
  payment_seq INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (payment_seq, seq)
) WITHOUT ROWID;

INSERT INTO journal_again
  SELECT payment_seq, seq FROM (
    SELECT seq, payment_seq, max(payment_seq) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last
    FROM journal)
  WHERE payment_seq <= last;
INSERT INTO journal_row
  SELECT min(seq), min(at_us), max(CASE WHEN again THEN NULL ELSE payment_seq END),
    json_group_array(json_array(seq, request_id, at_us, operation, method, path, organisation_id, json(request_headers),
      request_body, status, response_body, rule, json(notes), payment_seq) ORDER BY seq)
  FROM (
    SELECT *, EXISTS (SELECT 1 FROM journal_again WHERE journal_again.seq = journal.seq
      AND journal_again.payment_seq = journal.payment_seq) AS again
    FROM journal)
  GROUP BY seq / 64;
DROP TABLE journal;
ALTER TABLE journal_row RENAME TO journal;
CREATE INDEX journal_payment ON journal (last_payment) WHERE last_payment IS NOT NULL;
`
