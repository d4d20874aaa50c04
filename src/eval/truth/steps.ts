import { type Message, outputText, type Part, partsOf } from '../../model/types.ts'

/** A tool call with its result, read from the messages alone. */
export type ToolStep = {
  /** The id of the call. */
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly message: number
  /** The result, if there is one. */
  readonly output?: string
  readonly outcome: StepOutcome
}

export type StepOutcome = 'ok' | 'failed' | 'unknown'

/** The calls in some messages, in order, each with the next result of its id. Ids may repeat: published sessions have all of them blacked out. */
export function toolSteps(messages: readonly Message[]): ToolStep[] {
  const steps: ToolStep[] = []
  const open = new Map<string, number[]>()
  for (const [i, message] of messages.entries()) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        open.set(part.toolCallId, [...(open.get(part.toolCallId) ?? []), steps.length])
        const { toolCallId: id, toolName, input } = part
        steps.push({ id, name: toolName.toLowerCase(), input, message: i, outcome: 'unknown' })
      }
      if (part.type === 'tool-result') {
        const place = open.get(part.toolCallId)?.shift()
        const step = place === undefined ? undefined : steps[place]
        if (place !== undefined && step !== undefined) steps[place] = ended(step, part)
      }
    }
  }
  return steps
}

function ended(step: ToolStep, { output }: Extract<Part, { type: 'tool-result' }>): ToolStep {
  const text = outputText(output)
  return { ...step, output: text, outcome: outcomeOf(output.type, text) }
}

/** Agents say how a command ended in the first or the last lines of its output; Claude Code only when it failed. */
function outcomeOf(type: string, output: string): StepOutcome {
  if (/^error|denied/.test(type)) return 'failed'
  const ends = `${output.slice(0, 300)}\n${output.slice(-300)}`
  const code = EXIT.exec(ends)?.[1]
  if (code !== undefined) return code === '0' ? 'ok' : 'failed'
  return 'ok'
}

const EXIT = /(?:exit(?:ed)?(?: with)?(?: exit)?[ _]?(?:code|status)?:? ?|returncode>|exit_code"?[:>] ?)(-?\d{1,3})\b/i
