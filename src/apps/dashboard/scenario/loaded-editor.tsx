/** Loads the editor when it is first shown, because it is a third of the dashboard. Its text is shown meanwhile. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ErrorNote } from '../parts/notes.tsx'
import classes from './editor.module.css'

// React's `lazy` keeps what has come back for 300 ms behind its fallback, and what failed for good.
export function LoadedEditor(props: ComponentProps<typeof import('./editor.tsx').Editor>) {
  const code = useQuery({ queryKey: ['editor'], queryFn: () => import('./editor.tsx'), retry: false })
  if (code.data) return <code.data.Editor {...props} />
  return (
    <>
      {code.error && <ErrorNote error={code.error} retry={() => void code.refetch()} />}
      <div className={classes['editor']}>
        <pre className={classes['plain']}>{props.given.text}</pre>
      </div>
    </>
  )
}
