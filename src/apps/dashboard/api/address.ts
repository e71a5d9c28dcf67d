/** The address of a page behind the `#`, with the filters of its lists behind a `?`: they survive Back and can be sent on. */
import { useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'

const address = () => location.hash.replace(/^#?\/?/, '/')

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** Goes to a page: `/payments?status=FAILED`. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`)
  // The browser tells of changes by people alone.
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** For the router: what stands behind the `#`, filters apart. */
export const useHashAddress = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(listen, () => address().split('?')[0] as string), navigate],
  {
    hrefs: (href: string) => `#${href}`,
    searchHook: () => useSyncExternalStore(listen, () => address().split('?')[1] ?? ''),
  },
)

/** The filters of a page by name, empty where none is set, and a function that sets some of them. */
export function useFilters<Name extends string>(
  ...names: readonly Name[]
): [Record<Name, string>, (changes: { [name in Name]?: string | null }) => void] {
  const [params, setParams] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  const set = useCallback(
    (changes: { [name in Name]?: string | null }) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        // Back leads to the page before, not through every letter that was typed.
        { replace: true },
      ),
    [setParams],
  )
  return [filters, set]
}

/** Those that are set, for a query. */
export function givenOf<Name extends string>(filters: Record<Name, string>): { [name in Name]?: string } {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as { [name in Name]?: string }
}
