/** The page of one callback. */
import { useQuery } from '@tanstack/react-query'
import { world } from '../api/client.ts'
import { Id, Instant } from '../parts/formatted.tsx'
import { PageLink } from '../parts/page-link.tsx'
import { QueryAnswer } from '../parts/query-answer.tsx'
import { Screen } from '../parts/screen.tsx'
import { CallbackCard } from './callback-card.tsx'

export function CallbackScreen({ id }: { id: string }) {
  const callback = useQuery({
    queryKey: ['callback', id],
    queryFn: () => world('GET', '/callbacks/:id', { path: { id } }),
  })
  return (
    <QueryAnswer of={callback}>
      {(data) => (
        <Screen
          title={`Callback ${data.id}`}
          about={
            <>
              Written <Instant at={data.createdAt} />, <Id id={data.uid} />
              {data.payment && (
                <>
                  , about{' '}
                  <PageLink href={`/payments/${data.payment}`} underline="always">
                    this payment
                  </PageLink>
                </>
              )}
            </>
          }
        >
          <CallbackCard callback={data} />
        </Screen>
      )}
    </QueryAnswer>
  )
}
