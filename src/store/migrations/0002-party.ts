/** Who each payment is with, so that what happened with a phone, business or account before can be asked. */
export const party = `
ALTER TABLE payment ADD COLUMN party TEXT;
UPDATE payment SET party = CASE kind
  WHEN 'send-money' THEN json_extract(request, '$.phoneNumber')
  WHEN 'stk' THEN json_extract(request, '$.phoneNumber')
  WHEN 'till' THEN json_extract(request, '$.businessNumber')
  WHEN 'paybill' THEN json_extract(request, '$.businessNumber')
  WHEN 'bank-payout' THEN json_extract(request, '$.creditAccountNumber')
  WHEN 'account-verification' THEN json_extract(request, '$.accountNumber')
  WHEN 'checkout' THEN nullif(ltrim(json_extract(request, '$.customerPhone'), '+'), '')
END;
CREATE INDEX payment_party ON payment (party, kind, seq) WHERE party IS NOT NULL;
`
