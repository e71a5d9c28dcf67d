/** Text boxes that filter a list. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from './icons.tsx'

/** Milliseconds. Without a pause, each letter would be a request. */
const PAUSE_MS = 300

interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  change(text: string): void
}

/** Follows when the filter changes elsewhere, for example by Back. */
export function Typed({ value, change, ...others }: TypedProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((typed: string) => {
    told.current = typed.trim()
    change(told.current)
  }, PAUSE_MS)
  useEffect(() => {
    // The value that comes back is an older one: somebody may have typed on.
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      {...others}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

export function SearchBox(props: Pick<TypedProps, 'value' | 'change' | 'placeholder'>) {
  return (
    <Typed
      {...props}
      label="Search"
      leftSection={<IconSearch size={16} />}
      w={{ base: '100%', sm: 300 }}
      data-testid="search"
    />
  )
}
