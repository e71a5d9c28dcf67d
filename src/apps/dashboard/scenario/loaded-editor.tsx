/** Loads the editor when it is first shown, because it is a third of the dashboard. Its text is shown meanwhile. */
import { type ComponentProps, useEffect, useState } from 'react'
import classes from './editor.module.css'

type Editor = typeof import('./editor.tsx').Editor

// React's `lazy` keeps what has come back for 300 ms behind its fallback.
let known: Editor | undefined

export function LoadedEditor(props: ComponentProps<Editor>) {
  const [Editor, setEditor] = useState(() => known)
  useEffect(() => {
    void import('./editor.tsx').then((code) => {
      known = code.Editor
      setEditor(() => known)
    })
  }, [])
  if (Editor) return <Editor {...props} />
  return (
    <div className={classes['editor']}>
      <pre className={classes['plain']}>{props.given.text}</pre>
    </div>
  )
}
