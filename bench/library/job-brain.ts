import { type Brain, isSummarising, type ModelRequest } from '../../test/support/model-server/index.ts'
import { callOf, EDITS, FACTS, STEPS, shownIn } from './job.ts'

/** The model of the job. It makes one step with each request, and it writes summaries when asked. */
export function jobBrain(): Brain {
  let step = 0
  return (request) => {
    if (isSummarising(request)) return { text: summaryOf(request) }
    step++
    return step >= STEPS ? { text: 'Done.' } : { calls: [callOf(step)] }
  }
}

/** The text of a request: all that its model can know. */
export function textOfRequest({ system, messages }: ModelRequest): string {
  const parts = messages.flatMap((message) => message.parts)
  return [system, ...parts.map((part) => ('text' in part ? part.text : JSON.stringify(part.input)))].join('\n')
}

/** The summary of an ideal model: every fact and every edit that the request shows. */
function summaryOf(request: ModelRequest): string {
  const text = textOfRequest(request)
  if (text.includes('<observations>')) return observationsOf(text)
  return `## Goal\n${GOAL}\n\n## Progress\n${linesOf(text)}\n\n## Next\nRead and change the next client, and run the tests.`
}

/**
 * The same in the form of Mastra's memory. Its observer adds to the earlier observations, so it writes only what is new. Its
 * reflector writes all of them again.
 */
function observationsOf(text: string): string {
  const isReflector = text.includes('OBSERVATIONS TO REFLECT ON')
  const [, earlier = ''] = isReflector ? [] : (/## Previous Observations\n([\s\S]*?)\n---\n/.exec(text) ?? [])
  const known = new Set(linesOf(earlier).split('\n'))
  const lines = linesOf(text)
    .split('\n')
    .filter((line) => !known.has(line))
  const goal = earlier === '' ? `* ${GOAL}\n` : ''
  return `<observations>\n${goal}${lines.join('\n')}\n</observations>\n<current-task>Change the next client.</current-task>\n<suggested-response>Continue with the next client.</suggested-response>`
}

const GOAL = 'Make every client of the queue wait longer after each failure. Never touch the folder vendor.'

function linesOf(text: string): string {
  return [...shownIn(text, EDITS), ...shownIn(text, FACTS)].map(({ line }) => line).join('\n')
}
