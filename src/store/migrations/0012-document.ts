/**
 * A payment becomes what it is looked up by and one document, and what a payment or callback waits for first stands in
 * its own row: the agenda keeps the rest. Uuids carry the number of their payment from now on; those of before are
 * looked up in a table.
 */
export const document = `
CREATE TABLE former_uuid (uuid TEXT PRIMARY KEY, payment_seq INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO former_uuid SELECT uuid, seq FROM payment;

CREATE TABLE documented (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  organisation_id INTEGER NOT NULL,
  counterparty_id INTEGER,
  reference_id TEXT,
  party TEXT,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL,
  due_at_us INTEGER,
  due_seq INTEGER,
  due_event TEXT,
  doc TEXT NOT NULL
);
INSERT INTO documented
  SELECT payment.seq, kind, id, organisation_id, counterparty_id, reference_id, party, currency, amount_minor, status,
    created_at_us, updated_at_us, agenda.due_at_us, agenda.seq, agenda.event,
    '{"uuid":' || json_quote(uuid) || ',"request":' || request || ',"details":' || details || ',"plan":' || plan ||
    ',"history":' || history || ',"callbackUrl":' || json_quote(callback_url) || '}'
  FROM payment
    LEFT JOIN (SELECT subject, min(seq) AS seq FROM agenda WHERE lane = 0 GROUP BY subject) AS first ON first.subject = payment.seq
    LEFT JOIN agenda ON agenda.lane = 0 AND agenda.subject = payment.seq AND agenda.seq = first.seq;
DROP TABLE payment;
ALTER TABLE documented RENAME TO payment;
CREATE INDEX payment_list ON payment (organisation_id, kind, seq);
CREATE INDEX payment_counterparty ON payment (counterparty_id, kind, seq) WHERE counterparty_id IS NOT NULL;
CREATE INDEX payment_reference ON payment (reference_id, seq) WHERE reference_id IS NOT NULL;
CREATE INDEX payment_party ON payment (party, kind, seq) WHERE party IS NOT NULL;
CREATE INDEX payment_due ON payment (due_at_us, due_seq) WHERE due_at_us IS NOT NULL;

ALTER TABLE callback ADD COLUMN due_at_us INTEGER;
ALTER TABLE callback ADD COLUMN due_seq INTEGER;
ALTER TABLE callback ADD COLUMN due_event TEXT;
UPDATE callback SET (due_at_us, due_seq, due_event) =
  (SELECT due_at_us, seq, event FROM agenda WHERE +lane = 1 AND subject = callback.id ORDER BY seq LIMIT 1);
CREATE INDEX callback_due ON callback (due_at_us, due_seq) WHERE due_at_us IS NOT NULL;

DELETE FROM agenda WHERE lane = 0 AND seq IN (SELECT due_seq FROM payment WHERE due_at_us IS NOT NULL);
DELETE FROM agenda WHERE lane = 1 AND seq IN (SELECT due_seq FROM callback WHERE due_at_us IS NOT NULL);
`
