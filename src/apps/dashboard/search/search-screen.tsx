import { Box, type BoxProps, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ControlAnswer } from '../../../client/control.ts'
import { navigate, useFilters } from '../api/address.ts'
import { submitting } from '../api/changes.ts'
import { world } from '../api/client.ts'
import { callbackLine, paymentLine } from '../overview/attention.tsx'
import { shortInstant } from '../parts/formatted.tsx'
import { FoundCard, type FoundItem } from '../parts/found-card.tsx'
import { IconSearch } from '../parts/icons.tsx'
import { Empty } from '../parts/notes.tsx'
import { QueryAnswer, Screen, SearchBox } from '../parts/screen.tsx'

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

async function find(search: string): Promise<FoundItem[]> {
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

export function SearchEverything({ then, ...where }: Pick<BoxProps, 'visibleFrom' | 'hiddenFrom'> & { then?(): void }) {
  const [text, setText] = useState('')
  const search = () => {
    navigate(`/search?search=${encodeURIComponent(text.trim())}`)
    then?.()
  }
  return (
    <Box {...where} flex="1 1 8rem" maw={360}>
      <form role="search" onSubmit={submitting(search)}>
        <TextInput
          type="search"
          size="xs"
          aria-label="Search everything"
          placeholder="Search everything"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </Box>
  )
}
