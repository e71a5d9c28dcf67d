/**
 * What was asked for in a payment, and what was decided about it, never change, and to what happened to it something is
 * added: so they are columns of their own, and no document is read and written anew with each step of the payment's life.
 */
export const asked = `
ALTER TABLE payment RENAME COLUMN doc TO details;
ALTER TABLE payment ADD COLUMN asked TEXT NOT NULL DEFAULT '{}';
ALTER TABLE payment ADD COLUMN plan TEXT NOT NULL DEFAULT '{}';
ALTER TABLE payment ADD COLUMN history TEXT NOT NULL DEFAULT '[]';
UPDATE payment SET
  asked = json_remove(details, '$.details', '$.plan', '$.history'),
  plan = details -> '$.plan',
  history = details -> '$.history',
  details = details -> '$.details';
`
