import type { Message } from '../../src/engine/index.ts'
import type { Question } from '../retention/score.ts'
import { textOf } from '../retention/shown.ts'
import type { Fact, Kind } from '../retention/truth/facts.ts'

/** What is true at a cut, for the judge: the facts that the log has, and what the agent really did next. */
export function truthText({ facts, cut }: Question): string {
  const sections = SHOWN.map(([kind, title]) => {
    const lines = facts
      .filter((fact) => fact.kind === kind)
      .slice(-MOST)
      .map(line)
    return lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`
  })
  return [...sections, `What happened next:\n${nextSteps(cut.after)}`].filter((text) => text !== '').join('\n\n')
}

const SHOWN: readonly (readonly [Kind, string])[] = [
  ['user message', 'The user said (oldest first, shortened)'],
  ['constraint', 'Limits that the user set'],
  ['to-do', 'The to-do list as last written'],
  ['edited file', 'Files edited'],
  ['read file', 'Files read and not edited'],
  ['command', 'Commands and how their last run ended'],
  ['error line', 'Error lines'],
  ['url', 'URLs named'],
  ['version', 'Versions named'],
  ['hash', 'Hashes named'],
]
const MOST = 40

function line({ text, status, was }: Fact): string {
  const state = status === undefined ? '' : ` (${status}${was === undefined ? '' : `, before that ${was}`})`
  return `- ${text.replace(/\s+/g, ' ').slice(0, 300)}${state}`
}

const NEXT_MESSAGES = 8

function nextSteps(after: readonly Message[]): string {
  return after
    .slice(0, NEXT_MESSAGES)
    .map((message) => `- ${message.role}: ${textOf(message).replace(/\s+/g, ' ').slice(0, 240)}`)
    .join('\n')
}
