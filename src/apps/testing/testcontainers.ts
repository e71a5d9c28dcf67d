import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import type { Credentials } from '../../client/control.ts'
import { connectMfano, type Mfano } from './mfano.ts'
import type { TestWorld } from './test-world.ts'
import { isScenarioName, type WorldDefaults, type WorldOptions } from './world-options.ts'

const PORT = 8080
/**
 * The name by which a container reaches the machine that runs the tests, with Docker 20.10 or newer and Docker Desktop.
 */
const HOST = 'host.docker.internal'

/**
 * A mfano in a container; nothing is kept when it stops. `localhost` in a callback URL means the machine that runs the
 * tests, so your app needs no other address. It must listen on `0.0.0.0`, because the container comes from outside.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { MfanoContainer } from 'mfano/testcontainers'
 *
 * test('a customer pays', async () => {
 *   // The image: docker build -t mfano .
 *   await using container = await new MfanoContainer('mfano').withScenario('slow-rails').start()
 *   await using world = await container.world()
 *   await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
 *   await world.clock.advance('1h')
 * })
 * ```
 */
export class MfanoContainer extends GenericContainer {
  #adminToken: string | undefined

  /** @param image a tag of the image that this project's Dockerfile builds */
  constructor(image = 'mfano') {
    super(image)
    this.withExposedPorts(PORT)
      .withEnvironment({ MFANO_DATA: ':memory:' })
      .withExtraHosts([{ host: HOST, ipAddress: 'host-gateway' }])
      .withCallbackHost(HOST)
      .withWaitStrategy(Wait.forHttp('/_mfano/health', PORT))
  }

  /** Default scenario of worlds: a shipped name, or a file, which is copied into the container. */
  withScenario(nameOrPath: string): this {
    if (isScenarioName(nameOrPath)) return this.withEnvironment({ MFANO_SCENARIO: nameOrPath })
    const target = `/scenarios/${nameOrPath.split(/[\\/]/).at(-1)}`
    return this.withCopyFilesToContainer([{ source: nameOrPath, target }]).withEnvironment({ MFANO_SCENARIO: target })
  }

  /** Protects the control plane. Worlds of the started container know the token. */
  withAdminToken(token: string): this {
    this.#adminToken = token
    return this.withEnvironment({ MFANO_ADMIN_TOKEN: token })
  }

  /** The host that `localhost` in a callback URL means, if tests do not run on the container's machine. */
  withCallbackHost(host: string): this {
    return this.withEnvironment({ MFANO_CALLBACK_HOST: host })
  }

  /** Resolves when the health check passes. */
  override async start(): Promise<StartedMfanoContainer> {
    return new StartedMfanoContainer(await super.start(), this.#adminToken)
  }
}

export class StartedMfanoContainer extends AbstractStartedContainer {
  /** Keys of the default organisation of every world. */
  readonly credentials: Credentials = {
    apiKey: 'mfano-key',
    apiSecret: 'mfano-secret',
    companyId: '00000000-0000-4000-8000-000000000001',
  }
  readonly #adminToken: string | undefined

  constructor(started: StartedTestContainer, adminToken: string | undefined) {
    super(started)
    this.#adminToken = adminToken
  }

  /** Base URL for the tests, which is that of the world `default`. */
  get url(): string {
    const host = this.getHost()
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(PORT)}`
  }

  /** Connects the kit to it. `defaults` apply to its worlds. */
  connect(defaults: WorldDefaults = {}): Promise<Mfano> {
    return connectMfano({ ...defaults, url: this.url, adminToken: this.#adminToken })
  }

  /** A world of its own, for one test. */
  async world(options: WorldOptions = {}): Promise<TestWorld> {
    return (await this.connect()).world(options)
  }
}
