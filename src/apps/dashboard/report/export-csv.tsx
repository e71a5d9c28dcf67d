/** A button above a list that gives all of it to a spreadsheet, as it is filtered. */
import { Button, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Control } from '../../../client/control.ts'
import { type CsvAsked, wholeCsv } from '../../../client/whole-csv.ts'
import { world, worldId } from '../api/client.ts'
import { saveFile } from '../api/save-file.ts'

/** Spreadsheets take a file for UTF-8 by this mark. */
const MARK = '\ufeff'

interface ExportProps extends CsvAsked {
  /** Of the file. */
  name: string
  /** On the button. */
  words?: string
  /** Who is asked; this page's world unless told. */
  of?: Control
}

/** All pages of the list, whatever the page shows of it. */
export function ExportCsv({ name, words = 'Export CSV', of = world, ...asked }: ExportProps) {
  const csv = useMutation({
    mutationFn: () => wholeCsv(of, asked),
    onSuccess: (text) => saveFile(`${worldId}-${name}.csv`, 'text/csv', MARK + text),
  })
  return (
    <Tooltip label={csv.error?.message ?? 'All rows of the list, as it is filtered, for a spreadsheet'}>
      <Button
        variant="default"
        size="xs"
        color={csv.error ? 'red' : undefined}
        loading={csv.isPending}
        onClick={() => csv.mutate()}
        data-testid={`export-${name}`}
      >
        {csv.error ? 'Export failed' : words}
      </Button>
    </Tooltip>
  )
}
