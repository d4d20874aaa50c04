import { type Answer, type Brain, type Fault, isSummarising, type ModelRequest } from './model-server/index.ts'

type Step = Answer | Fault | ((request: ModelRequest) => Answer | Fault | Promise<Answer | Fault>)

export type Script = {
  /** Its answers to the requests, one after the other; `Done.` to all that follow. */
  readonly steps: readonly Step[]
  /** Its answer when it is asked for a summary. */
  readonly summary?: Step
}

/** A model that says what the test wants it to say. */
export function scriptedBrain({ steps, summary = { text: SUMMARY } }: Script): Brain {
  let next = 0
  return (request) => {
    const step = isSummarising(request) ? summary : (steps[next++] ?? { text: 'Done.' })
    return typeof step === 'function' ? step(request) : step
  }
}

export const SUMMARY = [
  'The user and the agent talked. The user asked for one thing after the other, and the agent did each of them.',
  'It ran commands, read what they printed, and told the user what it had found out on the way.',
  'All that was asked is done, no error is open, and no decision waits for anybody. Nothing is left to do.',
].join(' ')

/** An answer that calls one tool. */
export function calling(name: string, input: unknown): Answer {
  return { calls: [{ name, input }] }
}

/** An answer that calls a command which prints that many different lines of about ten tokens, and starts no program for it. */
export function printing(mark: string, lines: number): Answer {
  return calling('bash', { command: `printf '${mark}: nothing of note happens %s\\n' {1..${lines}}` })
}

/** A text of about that many tokens. */
export function longText(mark: string, tokens: number): string {
  const lines = Array.from(
    { length: Math.ceil(tokens / 10) },
    (_, i) => `${mark}, line ${i + 1}: nothing of note happens`,
  )
  return lines.join('\n')
}

/** Every text of a request's conversation, results included. */
export function saidTo(request: ModelRequest | undefined): string {
  return (request?.messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : JSON.stringify(part.input))))
    .join('\n')
}
