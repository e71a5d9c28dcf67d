/** The timeline of a payment, in one list: first what the merchant saw, then what the rails did, then the details. */
import { Group, Text, Timeline } from '@mantine/core'
import type { PaymentDetail } from '../../../client/control-answers.ts'
import { shortDuration } from '../../../core/model/short-duration.ts'
import { Dim } from '../parts/dim.tsx'
import { dayAndClock, Instant, Sentence, toneOf } from '../parts/formatted.tsx'
import { PageLink } from '../parts/page-link.tsx'

type Step = PaymentDetail['explanation']['story'][number]

/** With a title: what the merchant saw. Without: what the rails did. What is not named is a detail. */
const weights: Partial<Record<Step['station'], string>> = {
  request: 'Request',
  answer: 'Answer',
  repeat: 'The same request again',
  attempt: 'Callback',
  transition: '',
  rails: '',
}

export function PaymentTimeline({ payment: { explanation, createdAt } }: { payment: PaymentDetail }) {
  const { story, stopped } = explanation
  return (
    <Timeline
      bulletSize={14}
      lineWidth={2}
      active={story.length}
      styles={{ item: { marginTop: 'var(--mantine-spacing-sm)' } }}
      data-testid="story"
    >
      {story.map((step, i) => {
        const [day, clock] = dayAndClock(step.at)
        const [dayBefore, clockBefore] = i === 0 ? [] : dayAndClock(story[i - 1]?.at ?? '')
        const isNewDay = day !== dayBefore
        const title = weights[step.station]
        const isDetail = title === undefined
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end
            key={i}
            color={colourOf(step)}
            lineVariant={isDetail ? 'dotted' : 'solid'}
            styles={isDetail ? { itemBullet: { visibility: 'hidden' } } : {}}
            data-weight={isDetail ? 'detail' : title ? 'merchant' : 'rails'}
          >
            {isNewDay && (
              <Text size="sm" fw={650} mb={4} data-testid="day">
                {day}
              </Text>
            )}
            <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
              <Text size={isDetail ? 'xs' : 'sm'} c={isDetail ? 'dimmed' : undefined} className="break">
                {title && (
                  <Text span inherit fw={650}>
                    {title}.{' '}
                  </Text>
                )}
                <Sentence text={toldOnce(step, stopped.why)} />
                <More step={step} />
              </Text>
              {(isNewDay || clock !== clockBefore) && (
                <Dim size="xs" style={{ whiteSpace: 'nowrap' }}>
                  <Instant at={step.at}>
                    {clock}
                    {i > 0 && `, +${shortDuration(spanUs(createdAt, step.at))}`}
                  </Instant>
                </Dim>
              )}
            </Group>
            {step.station === 'attempt' && step.diagnosis && !stopped.next.includes(step.diagnosis.todo) && (
              <Text size="sm" data-testid="diagnosis">
                {step.diagnosis.todo}
              </Text>
            )}
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

function More({ step }: { step: Step }) {
  const [href, words] =
    step.station === 'attempt'
      ? [`/callbacks/${step.callback}`, 'What was sent']
      : step.station === 'request' && step.requestId
        ? [`/requests/${step.requestId}`, 'Open request']
        : []
  if (href === undefined) return null
  return (
    <>
      {' '}
      <PageLink href={href} underline="always" style={{ whiteSpace: 'nowrap' }}>
        {words}
      </PageLink>
    </>
  )
}

/** Without a cause that stands above. */
function toldOnce(step: Step, above: string): string {
  const why = step.station === 'attempt' ? step.diagnosis?.why : undefined
  return why !== undefined && above.includes(why) ? step.text.replace(`, because ${why}`, '') : step.text
}

function colourOf(step: Step): string {
  if (step.station === 'transition') return toneOf(step.to)
  if (step.station === 'attempt') return step.error === null ? 'green' : 'red'
  if (step.station === 'answer') return step.status > 0 && step.status < 400 ? 'green' : 'red'
  return 'gray'
}

function spanUs(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) * 1000
}
