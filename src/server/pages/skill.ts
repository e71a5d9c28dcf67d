/** Makes an agent's skill of its page: with the head that agents look for, and the addresses of this server. */

export const SKILL_FILE = 'SKILL.md'
export const SKILL_PAGE = 'src/docs/skill.md'

const HEAD = `---
name: mfano
description: Test code that pays, collects or receives callbacks against mfano, a simulator of an East African payments service. Use it when you write, debug or judge code that creates payments, reads their status, or handles their callbacks.
---

`

export function skillText(page: string, baseUrl: string): string {
  return HEAD + page.replaceAll('http://localhost:8080', baseUrl)
}
