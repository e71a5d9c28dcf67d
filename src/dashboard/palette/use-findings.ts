/** Everything that a text in the palette finds: by name what the page knows, by the server's own search what it does not. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { navigate } from '../api/address.ts'
import { server, world, worldUrl } from '../api/client.ts'
import { shippedQuery } from '../api/queries.ts'
import { shownState } from '../callbacks/callback-state.ts'
import { money, shortInstant } from '../parts/formatted.tsx'
import { pages } from '../shell/navigation.tsx'
import { addressOf } from '../shell/world-switch.tsx'
import { type EntryGroup, matching, type PaletteEntry } from './palette-entry.ts'

/** Shorter texts are in everything. */
const SEARCHED_FROM = 2
const EACH = 5

const went = (key: string, label: string, to: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  key,
  label,
  choose: () => navigate(to),
  ...more,
})

/** Found groups for a text, whether more may come, and what the server refused. */
export function useFindings(
  text: string,
  actions: readonly PaletteEntry[],
): { groups: EntryGroup[]; waiting: boolean } {
  const typed = text.trim()
  const named = useNamed()
  const searched = useQuery({
    queryKey: ['palette', typed],
    queryFn: () => search(typed),
    enabled: typed.length >= SEARCHED_FROM,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const places = pages.map(({ path, label }) => went(`page ${path}`, label, path))
  if (typed === '')
    return {
      waiting: false,
      groups: [
        { title: 'Pages', findings: places },
        { title: 'Actions', findings: actions },
      ],
    }
  const local = [
    { title: 'Pages', findings: matching(places, typed) },
    { title: 'Actions', findings: matching(actions, typed) },
    ...named.map(({ title, findings }) => ({ title, findings: matching(findings, typed, EACH) })),
  ]
  const remote = typed.length >= SEARCHED_FROM ? (searched.data ?? []) : []
  // A number is hardly ever the name of a page.
  const groups = /\d/.test(typed) ? [...local.slice(0, 2), ...remote, ...local.slice(2)] : [...local, ...remote]
  return {
    waiting: typed.length >= SEARCHED_FROM && (searched.isPending || searched.isPlaceholderData),
    groups: groups.filter(({ findings }) => findings.length > 0),
  }
}

/** What the server has by name: worlds, scenarios, organisations, documentation. */
function useNamed(): EntryGroup[] {
  const worlds = useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds') })
  const scenarios = useQuery(shippedQuery)
  const organisations = useQuery({ queryKey: ['organisations'], queryFn: () => world('GET', '/organisations') })
  const docs = useQuery({
    queryKey: ['docs'],
    queryFn: async (): Promise<{ title: string; heading: string; href: string }[]> =>
      (await fetch(`${worldUrl}/docs/search.json`)).json(),
  })
  return [
    {
      title: 'Worlds',
      findings: (worlds.data?.worlds ?? []).map(({ id, scenario }) => ({
        key: `world ${id}`,
        label: id,
        detail: `world, ${scenario ?? 'cannot be opened'}`,
        choose: () => location.assign(addressOf(id)),
      })),
    },
    {
      title: 'Scenarios',
      findings: (scenarios.data?.scenarios ?? []).map(({ name, description }) =>
        went(`scenario ${name}`, name, `/scenario?begin=${encodeURIComponent(name)}`, { detail: description }),
      ),
    },
    {
      title: 'Organisations',
      findings: (organisations.data?.organisations ?? []).map(({ uuid, name, uniqueReference }) =>
        went(`organisation ${uuid}`, name, '/organisations', { detail: `${uniqueReference} ${uuid}` }),
      ),
    },
    {
      title: 'Documentation',
      findings: (docs.data ?? []).map(({ title, heading, href }) => ({
        key: `docs ${href} ${heading}`,
        label: heading,
        detail: heading === title ? 'documentation' : title,
        choose: () => void window.open(`${worldUrl}/docs/${href}`, '_blank'),
      })),
    },
  ]
}

/** Payments, callbacks and requests that say it; what is refused, such as a text that is too long, finds nothing. */
async function search(text: string): Promise<EntryGroup[]> {
  const query = { search: text, limit: EACH }
  const [payments, callbacks, requests] = await Promise.all([
    world('GET', '/payments', { query }).then(({ payments }) => payments),
    world('GET', '/callbacks', { query }).then(({ callbacks }) => callbacks),
    world('GET', '/requests', { query }).then(({ requests }) => requests),
  ])
  const more = (title: string, path: string, found: readonly PaletteEntry[]): EntryGroup => ({
    title,
    findings:
      found.length < EACH
        ? found
        : [
            ...found,
            went(
              `all ${path}`,
              `All ${title.toLowerCase()} with “${text}”`,
              `${path}?${new URLSearchParams({ search: text })}`,
            ),
          ],
  })
  return [
    more(
      'Payments',
      '/payments',
      payments.map(({ uuid, kind, amount, currency, referenceId, party, status, createdAt }) =>
        went(
          `payment ${uuid}`,
          [referenceId ?? kind, money(amount, currency), party?.name ?? party?.id].filter(Boolean).join(', '),
          `/payments/${uuid}`,
          { detail: `${kind}, ${shortInstant(createdAt)}`, state: status },
        ),
      ),
    ),
    more(
      'Callbacks',
      '/callbacks',
      callbacks.map(({ id, topic, url, state, attempts, about }) =>
        went(`callback ${id}`, `${about?.referenceId ?? topic}, callback ${id}`, `/callbacks/${id}`, {
          detail: url,
          state: shownState({ state, attempts }),
        }),
      ),
    ),
    more(
      'Requests',
      '/requests',
      requests.map(({ requestId, method, path, operation, status, at }) =>
        went(`request ${requestId}`, operation ?? `${method} ${path}`, `/requests/${requestId}`, {
          detail: `${requestId}, ${shortInstant(at)}`,
          state: String(status || 'none'),
        }),
      ),
    ),
  ]
}
