/** The time of a page in a browser that Playwright drives, put in a world's hands. */
import type { FollowedTime } from './participation.ts'

/** The parts of Playwright's page that are used. */
export interface ClockedPage {
  clock: {
    install(options: { time: number }): Promise<void>
    pauseAt(time: number): Promise<void>
    runFor(ms: number): Promise<void>
    resume(): Promise<void>
  }
}

/** A page's clock only pauses at an instant to come. */
const AHEAD_MS = 1_000

/** It follows: its timers fire in their order whenever time has moved, and time does not stop at them. */
export class PageTime implements FollowedTime {
  readonly holds = false
  changed: () => void = () => {}
  nowMs: number
  readonly #page: ClockedPage

  private constructor(page: ClockedPage, nowMs: number) {
    this.#page = page
    this.nowMs = nowMs
  }

  static async install(page: ClockedPage, nowMs: number): Promise<PageTime> {
    await page.clock.install({ time: nowMs - AHEAD_MS })
    await page.clock.pauseAt(nowMs)
    return new PageTime(page, nowMs)
  }

  /** Playwright does not say what a page waits for. */
  nextMs(): undefined {
    return undefined
  }

  async step(toMs: number): Promise<boolean> {
    const ms = Math.max(0, toMs - this.nowMs)
    this.nowMs += ms
    if (ms > 0) await this.#page.clock.runFor(ms)
    return false
  }

  /** Its time does not go back: it stands until the world's is there again. */
  jump(): void {}

  restore(): Promise<void> {
    return this.#page.clock.resume()
  }
}
