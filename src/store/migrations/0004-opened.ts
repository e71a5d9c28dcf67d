/** Which payment a request made, or was answered with again, so that a payment can be asked for its requests. */
export const opened = `
ALTER TABLE journal ADD COLUMN payment_seq INTEGER;
CREATE INDEX journal_payment ON journal (payment_seq) WHERE payment_seq IS NOT NULL;
`
