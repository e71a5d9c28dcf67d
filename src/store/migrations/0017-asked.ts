/**
 * What was asked for in a payment, and what was decided about it, never change: they leave the document, which is written
 * anew with each step of the payment's life.
 */
export const asked = `
ALTER TABLE payment ADD COLUMN asked TEXT NOT NULL DEFAULT '{}';
ALTER TABLE payment ADD COLUMN plan TEXT NOT NULL DEFAULT '{}';
UPDATE payment SET
  asked = json_remove(doc, '$.details', '$.plan', '$.history'),
  plan = doc -> '$.plan',
  doc = json_remove(doc, '$.uuid', '$.request', '$.plan', '$.callbackUrl', '$.trace');
`
