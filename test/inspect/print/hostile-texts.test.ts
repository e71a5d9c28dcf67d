/** Any report in each of its forms: whatever stands in the texts of others, it stays text. */
import fc from 'fast-check'
import { marked } from 'marked'
import { expect, it } from 'vitest'
import type { ReportDocument, ReportMood, ReportPoint } from '../../../src/inspect/report-document.ts'
import { reportForms } from '../../../src/inspect/report-lists.ts'

const pieces = [...'<script> </summary> </pre> " & &lt; ` ``` | *a*'.split(' '), "'", '\n', '\n\n', '# ', '- ']
const callers = ['@team', '#12', 'me@example.com', 'https://example.com', 'www.example.com', '[a](b:c)', '![](x)', '\\']
const text = fc
  .array(fc.constantFrom(...pieces, ...callers, 'word', ' ', '\u0007', '\u001b[2J', '\u009b31m', ']]>'), {
    maxLength: 6,
  })
  .map((all) => all.join(''))
const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 3 })
const mood = fc.constantFrom<ReportMood>('good', 'bad', 'open', 'none')
const { point } = fc.letrec<{ point: ReportPoint }>((tie) => ({
  point: fc.record(
    { text, exact: some(text), more: fc.oneof({ maxDepth: 2 }, fc.constant([]), some(tie('point'))) },
    { requiredKeys: ['text'] },
  ),
}))
const section = fc.oneof(
  fc.record({ title: text, note: text, points: some(point) }),
  fc.record({
    title: text,
    columns: fc.tuple(text, text),
    rows: some(fc.tuple(text, fc.oneof(text, fc.constant(7), fc.constant(null)))),
  }),
)
const run = fc.record(
  {
    mood,
    word: text,
    name: text,
    tookMs: fc.nat(5000),
    why: text,
    failures: some(fc.record({ type: text, message: text })),
  },
  { requiredKeys: ['mood', 'word', 'name'] },
)
const story = fc.record(
  {
    title: text,
    text,
    more: some(point),
    exact: some(text),
    command: text,
    link: text,
  },
  { requiredKeys: ['title', 'text'] },
)
const report: fc.Arbitrary<ReportDocument> = fc.record({
  by: text,
  title: text,
  verdict: fc.record({ mood, text: text.map((words) => `It ${words}`) }),
  lead: some(text),
  stories: some(story),
  sections: some(section),
  facts: some(fc.tuple(text, text)),
  runs: some(run),
  data: fc.jsonValue(),
})

/** Names of the tags of a text, opening and closing ones; anything else behind a `<` is one that nobody meant. */
const tagsOf = (markup: string) => new Set(Array.from(markup.matchAll(/<\/?([^\s/>]*)/g), ([, name]) => name))
const htmlTags =
  '!doctype html head meta title style body main header p h1 h2 h3 section small ul li article pre div b span i table thead tbody tr th td footer dl dt dd a code'.split(
    ' ',
  )
const junitTags = '?xml testsuites testsuite testcase failure error skipped'.split(' ')
const markdownTags = 'h1 h2 h3 p hr strong details summary sub ul li pre code table thead tbody tr th td'.split(' ')

it('has no tag in HTML and JUnit but its own, and only entities that it wrote', async () => {
  await fc.assert(
    fc.asyncProperty(report, async (one) => {
      const [html, junit] = [await reportForms.html[1](one), await reportForms.junit[1](one)]
      expect([...tagsOf(html)].filter((name) => !htmlTags.includes(name as string))).toEqual([])
      expect([...tagsOf(junit)].filter((name) => !junitTags.includes(name as string))).toEqual([])
      for (const markup of [html, junit]) {
        expect(markup).not.toContain('\u0007')
        expect(markup.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, '')).not.toContain('&')
      }
    }),
  )
})

it('calls nobody and links nowhere in Markdown, and holds only what it means to', async () => {
  await fc.assert(
    fc.asyncProperty(report, async (one) => {
      const shown = await marked(await reportForms.markdown[1](one))
      expect([...tagsOf(shown)].filter((name) => !markdownTags.includes(name as string))).toEqual([])
      // What stands letter by letter in a block of code calls nobody.
      expect(shown.replaceAll(/<pre>.*?<\/pre>/gs, '')).not.toMatch(/@\w|(?<!&)#\d/)
    }),
  )
})

it('gives programs the data as it is', async () => {
  await fc.assert(
    fc.asyncProperty(report, async (one) => {
      expect(JSON.parse(await reportForms.json[1](one))).toEqual(JSON.parse(JSON.stringify(one.data)))
    }),
  )
})

it('shows no control character in any form', async () => {
  await fc.assert(
    fc.asyncProperty(report, async (one) => {
      for (const [form, [, print]] of Object.entries(reportForms)) {
        if (form === 'json') continue
        expect(await print(one), form).not.toMatch(/[\p{Cc}--[\n\t]]/v)
      }
    }),
    { numRuns: 50 },
  )
})
