import { Hono } from 'hono'
import type { ControlEnv } from '../control/kit.ts'
export type PagesEnv = ControlEnv
export function pagesApp(): Hono<PagesEnv> {
  return new Hono<PagesEnv>()
}
