import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { must } from '../../../core/model/must.ts'
import classes from './editor.module.css'

export interface EditorProblem {
  line: number | null
  column: number | null
  message: string
  severity: 'error' | 'warning'
}

interface EditorProps {
  /** An object, so that setting the same text again replaces what was written. */
  given: { text: string }
  change(text: string): void
  check(text: string): Promise<readonly EditorProblem[]>
}

const CHECK_AFTER_MS = 400

export function Editor({ given, change, check }: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ change, check })
  latest.current = { change, check }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor keeps its own text; a new one is put in below
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
    const editor = new EditorView({
      parent: must(place.current),
      state: EditorState.create({
        doc: given.text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          bracketMatching(),
          indentUnit.of('  '),
          yaml(),
          syntaxHighlighting(classHighlighter),
          lintGutter(),
          linter(async ({ state }) => marks(state, await latest.current.check(state.doc.toString())), {
            delay: CHECK_AFTER_MS,
          }),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': 'The scenario, in YAML', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.change(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== given.text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: given.text } })
  }, [given])

  return <div ref={place} className={classes['editor']} data-testid="editor" />
}

/** A problem without a place is shown at the beginning. */
function marks({ doc }: EditorState, problems: readonly EditorProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message, severity }) => {
    const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
    const from = Math.min(at.from + Math.max((column ?? 1) - 1, 0), at.to)
    return { from, to: Math.max(from, at.to), message, severity }
  })
}
