/** Payments that wait until the float of their rail holds their amount. */
export const waiting = `
CREATE TABLE waiting (
  payment_seq INTEGER PRIMARY KEY,
  float TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  reserved_minor INTEGER NOT NULL
);
CREATE INDEX waiting_float ON waiting (float, currency, payment_seq);
`
