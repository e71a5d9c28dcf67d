/** Explains the rule under the cursor. */
import { Card, Text } from '@mantine/core'
import type { ControlAnswer } from '../../../client/control.ts'
import { counted } from '../../../core/model/counted.ts'
import { Dim, NamedValue } from '../parts/dim.tsx'

type Linted = NonNullable<ControlAnswer<'POST', '/scenario/lint'>['own']>[number]
type OwnRule = Linted & { decided?: number }

export function RuleAt({ rules, text, line }: { rules: readonly OwnRule[]; text: string; line: number }) {
  const rule = ruleAt(rules, text, line)
  if (!rule) return <Dim data-testid="rule-at">Move the cursor into a rule to see what it does.</Dim>
  const { name, on, when, chance, nth, then, decided } = rule
  const facts = [
    ['Applies to', on.join(', ')],
    ['When', when],
    ['Chance', chance],
    ['Only', nth],
    ['Then', then],
    ['Decided', decided !== undefined && counted(decided, 'payment')],
  ].filter(([, value]) => value)
  return (
    <Card withBorder padding="sm" component="section" aria-label="Rule under the cursor" data-testid="rule-at">
      <Text fw={600}>{name}</Text>
      {facts.map(([fact, value]) => (
        <NamedValue key={`${fact}`} name={`${fact}`}>
          {value}
        </NamedValue>
      ))}
    </Card>
  )
}

/** A rule ends where the next begins, or the next key of the file. */
function ruleAt(rules: readonly OwnRule[], text: string, line: number): OwnRule | undefined {
  const rule = rules.findLast((one) => one.line <= line)
  const between = rule && text.split('\n').slice(rule.line, line)
  return between?.some((one) => /^[a-z]/.test(one)) ? undefined : rule
}
