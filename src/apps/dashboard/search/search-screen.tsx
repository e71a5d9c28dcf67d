/** The page of what a search finds, whatever it is. */
import { useQuery } from '@tanstack/react-query'
import type { ControlAnswer } from '../../../client/control.ts'
import { useFilters } from '../api/address.ts'
import { world } from '../api/client.ts'
import { callbackLine, paymentLine } from '../overview/attention.tsx'
import { shortInstant } from '../parts/formatted.tsx'
import { type Found, FoundCard } from '../parts/found-card.tsx'
import { Empty } from '../parts/notes.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { SearchBox } from '../parts/search-box.tsx'

const SHOWN = 5

export function SearchScreen() {
  const [{ search }, setFilters] = useFilters('search')
  const found = useQuery({
    queryKey: ['search', search],
    queryFn: () => find(search),
    enabled: search !== '',
    staleTime: 0,
  })
  return (
    <Screen
      title="Search"
      about="Payments, callbacks and requests by any phone, reference, receipt, code or id in them."
    >
      <SearchBox value={search} change={(text) => setFilters({ search: text })} placeholder="salary-1, 0712345678" />
      {search !== '' && (
        <QueryAnswer of={found}>
          {(lists) =>
            lists.length === 0 ? (
              <Empty title="Nothing matches">Search for fewer letters.</Empty>
            ) : (
              <div className="as-wide">
                {lists.map((list) => (
                  <FoundCard key={list.title} {...list} />
                ))}
              </div>
            )
          }
        </QueryAnswer>
      )}
    </Screen>
  )
}

async function find(search: string): Promise<Found[]> {
  const query = { search, limit: SHOWN }
  const [{ payments }, { callbacks }, { requests }] = await Promise.all([
    world('GET', '/payments', { query }),
    world('GET', '/callbacks', { query }),
    world('GET', '/requests', { query }),
  ])
  const all = (page: string) => `${page}?search=${encodeURIComponent(search)}`
  return [
    { title: 'Payments', to: all('/payments'), lines: payments.map(paymentLine) },
    { title: 'Callbacks', to: all('/callbacks'), lines: callbacks.map(callbackLine) },
    { title: 'Requests', to: all('/requests'), lines: requests.map(requestLine) },
  ].filter(({ lines }) => lines.length > 0)
}

function requestLine({ requestId, method, path, at, status }: ControlAnswer<'GET', '/requests'>['requests'][number]) {
  return { to: `/requests/${requestId}`, words: `${method} ${path}`, told: `${shortInstant(at)}, answered ${status}` }
}
