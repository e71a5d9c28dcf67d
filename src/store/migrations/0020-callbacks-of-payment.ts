/**
 * Callbacks of a payment are found from its row, which is written with each of them anyway: it names the newest, and each
 * names the one before. An index of them was one more thing to write with every callback. Both are filled in the order of
 * that index.
 */
export const callbacksOfPayment = `
ALTER TABLE payment ADD COLUMN last_callback_id INTEGER;
ALTER TABLE callback ADD COLUMN previous_id INTEGER;
UPDATE callback SET previous_id = one.previous
  FROM (
    SELECT id, lag(id) OVER (PARTITION BY payment_seq ORDER BY id) AS previous FROM callback WHERE payment_seq IS NOT NULL
  ) AS one
  WHERE one.previous IS NOT NULL AND callback.id = one.id;
UPDATE payment SET last_callback_id = newest.id
  FROM (SELECT payment_seq, max(id) AS id FROM callback WHERE payment_seq IS NOT NULL GROUP BY payment_seq) AS newest
  WHERE payment.seq = newest.payment_seq;
DROP INDEX callback_payment;
`
