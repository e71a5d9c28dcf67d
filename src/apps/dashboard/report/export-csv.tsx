import { Button, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Control, ControlId } from '../../../client/control.ts'
import { type CsvAsked, wholeCsv } from '../../../client/whole-csv.ts'
import { must } from '../../../core/model/must.ts'
import { world, worldId } from '../api/client.ts'
import { saveFile } from '../api/save-file.ts'
import { declaredLists } from '../lists.gen.ts'

/** Without this mark, spreadsheets do not read UTF-8. */
const MARK = '\ufeff'

interface ExportProps extends Omit<CsvAsked, 'list'> {
  of: ControlId
  words?: string
  from?: Control
}

export function ExportCsv({ of, words = 'Export CSV', from = world, ...asked }: ExportProps) {
  const { name, path } = must(declaredLists[of])
  const csv = useMutation({
    mutationFn: () => wholeCsv(from, { list: path, ...asked }),
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
