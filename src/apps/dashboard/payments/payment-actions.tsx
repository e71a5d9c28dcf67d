/** Actions on one payment. */
import { Button, CopyButton, Group, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PaymentDetail } from '../../../client/control-answers.ts'
import { shortDuration } from '../../../core/model/short-duration.ts'
import { parseDuration } from '../../../core/model/time.ts'
import { ruleAddress } from '../api/address.ts'
import { useChange } from '../api/changes.ts'
import { world, worldUrl } from '../api/client.ts'
import { ErrorNote } from '../parts/notes.tsx'

export function PaymentActions({ payment }: { payment: PaymentDetail }) {
  const { uuid, possible, callbacks, rule, explanation } = payment
  const clipboard = useClipboard()
  const path = { id: uuid }
  const end = useChange((status: string) => world('POST', '/payments/:id/resolve', { path, body: { status } }))
  const redeliver = useChange((id: number) => world('POST', '/callbacks/:id/redeliver', { path: { id } }))
  const advance = useChange((by: string) => world('POST', '/clock/advance', { body: { by } }))
  const asText = useMutation({
    mutationFn: () => world.text('GET', '/payments/:id/explain', { path, query: { format: 'text' } }),
    onSuccess: (text) => clipboard.copy(text),
  })
  const error = end.error ?? redeliver.error ?? advance.error ?? asText.error
  const ends = [...new Set(possible.map(({ leadsTo }) => leadsTo))]
  const lastCallback = callbacks.at(-1)
  const by = explanation.stopped.hints.find(({ operation }) => operation === 'clock.advance')?.with['by']
  const plain = { variant: 'default', size: 'xs' } as const
  return (
    <>
      <Group gap="xs" role="group" aria-label="Actions">
        {typeof by === 'string' && (
          <Button size="xs" loading={advance.isPending} onClick={() => advance.mutate(by)} data-testid="advance-to-due">
            Advance the clock by {shortDuration(parseDuration(by) ?? 0)}
          </Button>
        )}
        {ends.length > 0 && (
          <Menu>
            <Menu.Target>
              <Button {...plain} loading={end.isPending} data-testid="end-now">
                End now as…
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {ends.map((status) => (
                <Menu.Item key={status} onClick={() => end.mutate(status)} data-testid={`end-${status}`}>
                  {status}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {lastCallback && (
          <Button
            {...plain}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(lastCallback.id)}
            data-testid="redeliver"
          >
            Resend callback
          </Button>
        )}
        <Button {...plain} component={Link} href={ruleAddress(rule)}>
          Open rule
        </Button>
        <CopyButton value={location.href}>
          {({ copied, copy }) => (
            <Button {...plain} onClick={copy}>
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </CopyButton>
        <Button {...plain} loading={asText.isPending} onClick={() => asText.mutate()} data-testid="copy-text">
          {clipboard.copied ? 'Copied' : 'Copy as text'}
        </Button>
        <Menu>
          <Menu.Target>
            <Button {...plain} data-testid="download">
              Download report
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {(['html', 'json'] as const).map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={`${worldUrl}/_mfano/payments/${uuid}/explain?format=${format}`}
                download={`payment-${uuid}.${format}`}
                data-testid={`download-${format}`}
              >
                {format.toUpperCase()}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {error && <ErrorNote error={error} />}
    </>
  )
}
