/** Operation that returns the certificate of mfano's own authority. */
import { Refusal } from '../../../core/model/refusal.ts'
import { controlOperation } from '../declared-operation.ts'

const readAuthority = controlOperation('authority.show', {
  method: 'GET',
  path: '/ca.pem',
  summary: 'Get the certificate of the authority for HTTPS',
  description: 'Needs no admin token: it is no secret.',
  answers: { 'application/x-x509-ca-cert': 'One certificate, as PEM.' },
  errors: ['NO_TLS'],
  run(c) {
    const { authority } = c.env
    if (authority === undefined)
      throw new Refusal(
        'NO_TLS',
        'this mfano has no authority of its own: it was started without --tls (MFANO_TLS), or its platform speaks TLS for it',
      )
    // Under this type phones offer to install it.
    return c.body(authority, 200, {
      'content-type': 'application/x-x509-ca-cert',
      'content-disposition': 'attachment; filename="mfano-ca.pem"',
    })
  },
})

export const authorityOperations = [readAuthority] as const
