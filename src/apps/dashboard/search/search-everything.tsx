/** The box in the header that searches everything. */
import { Box, type BoxProps, TextInput } from '@mantine/core'
import { useState } from 'react'
import { navigate } from '../api/address.ts'
import { submitting } from '../api/changes.ts'
import { IconSearch } from '../parts/icons.tsx'

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
