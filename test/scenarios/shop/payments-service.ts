/** The payments service as the shop talks to it: one method for each call that it makes. */

/** What the service gave the shop when it signed up. */
export interface Account {
  baseUrl: string
  apiKey: string
  apiSecret: string
}

/** Whatever came back, good or bad: it is for the caller to look. */
export interface Answer<Body> {
  status: number
  body: Body
}

/** A prompt on a payer's phone. */
export interface PhoneRequest {
  phoneNumber: string
  amount: number
  accountReference: string
  description: string
  callbackUrl: string
  currencyCode: 'KSH' | 'TZS'
  /** The network that a Tanzanian payer is with. */
  channel?: 'TZ-TIGO-C2B'
  /** The shop's own name for this payment, by which it can be found again. */
  referenceId?: string
}

/** A page on which a payer pays. */
export interface PageRequest {
  amount: number
  currency: 'KES'
  description: string
  successUrl: string
  cancelUrl: string
  paymentMethods: ('CARD' | 'MPESA_STK')[]
  externalReference: string
  paymentReference: string
  callbackUrl: string
}

/** What `stk/single` says of a collection. */
export interface Collection {
  uuid: string
  /** The network's name for it. */
  checkoutRequestId: string
  amount: number
  status: string
  accountReference: string
  responseCode: number
  responseDescription: string
}

/** A payment into the shop's bank account, as the list has it. */
export interface BankCollection {
  uuid: string
  transactionref: string
  /** A number as text. */
  amount: string
  /** What the payer wrote. */
  description: string
}

export class PaymentsService {
  readonly #account: Account
  #token: string | undefined

  constructor(account: Account) {
    this.#account = account
  }

  askByPhone(request: PhoneRequest): Promise<Answer<{ data?: { requestId: string } }>> {
    return this.#call('POST', '/api/sandbox/v1/stk/new', request)
  }

  /** By the id that the service gave it, or by the shop's own reference. */
  collection(id: string): Promise<Answer<{ data: Collection }>> {
    return this.#call('GET', `/api/sandbox/v1/stk/single?requestId=${id}`)
  }

  /** A Tanzanian payer's collection. */
  tanzanianCollection(id: string): Promise<Answer<{ data: Collection }>> {
    return this.#call('GET', `/api/v1/tz/collections/single?requestId=${id}`)
  }

  /** All of them, of today and of any other day. */
  collections(): Promise<Answer<{ data: Collection[] }>> {
    return this.#call('GET', '/api/sandbox/v1/stk/all')
  }

  /** Everything that was ever paid into the bank account. */
  bankCollections(): Promise<Answer<{ data: BankCollection[] }>> {
    return this.#call('GET', '/api/sandbox/v1/bank/collection/all')
  }

  openPage(request: PageRequest): Promise<Answer<{ id: string; checkoutUrl: string }>> {
    return this.#call('POST', '/api/sandbox/v1/checkout-sessions', request)
  }

  page(id: string): Promise<Answer<{ status: string; amount: number }>> {
    return this.#call('GET', `/api/sandbox/v1/checkout-sessions/${id}`)
  }

  async #call<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    this.#token ??= await this.#login()
    const answer = await this.#send<Body>(method, path, body)
    if (answer.status !== 401) return answer
    // A token is good for five minutes.
    this.#token = await this.#login()
    return this.#send(method, path, body)
  }

  async #login(): Promise<string> {
    const { apiKey, apiSecret } = this.#account
    const { body } = await this.#send<{ data: { access_token: string } }>('POST', '/api/v1/get-token', {
      apiKey,
      apiSecret,
    })
    return body.data.access_token
  }

  async #send<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
    const response = await fetch(this.#account.baseUrl + path, {
      method,
      headers: {
        'content-type': 'application/json',
        // Tanzanian reads ask for it.
        'device-id': 'duka-la-mtaa',
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
}
