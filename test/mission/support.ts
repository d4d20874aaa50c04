import {
  type CompactInput,
  type CompactResult,
  compactMessages,
  type Message,
  type ModelChunk,
  messagesOf,
  type SummaryModel,
  type SummaryRequest,
  viewOf,
} from '../../src/engine.ts'

export function user(text: string): Message {
  return { role: 'user', content: text }
}

export function assistant(text: string): Message {
  return { role: 'assistant', content: text }
}

/** One step of the assistant: a call for each of `[id, tool, arguments]`, several of them in parallel. */
export function calls(...parallel: readonly (readonly [id: string, tool: string, input: unknown])[]): Message {
  return {
    role: 'assistant',
    content: parallel.map(([toolCallId, toolName, input]) => ({ type: 'tool-call', toolCallId, toolName, input })),
  }
}

export function result(toolCallId: string, text: string, toolName = 'read'): Message {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
  }
}

/** A text of exactly this many tokens, four characters each, that starts with its mark. */
export function words(mark: string, tokens: number): string {
  return `${mark} `.padEnd(tokens * 4, 'x')
}

/** A message for each mark, the user's and the assistant's in turn, each of exactly this many tokens. */
export function talk(marks: readonly string[], tokens = 10): Message[] {
  return marks.map((mark, i) => (i % 2 === 0 ? user(words(mark, tokens)) : assistant(words(mark, tokens))))
}

/** `m1.`, `m2.`, … with a dot, so that none is part of another. */
export function marks(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `m${i + 1}.`)
}

export type Answer = string | Error | readonly ModelChunk[]
export type FakeModel = SummaryModel & { readonly requests: SummaryRequest[] }

/** A model that gives one answer a call, in order, and remembers what it was asked. */
export function modelOf(...answers: readonly Answer[]): FakeModel {
  return namedModel({ name: 'acme/main' }, ...answers)
}

export function namedModel(facts: { name: string; window?: number }, ...answers: readonly Answer[]): FakeModel {
  const requests: SummaryRequest[] = []
  return {
    ...facts,
    requests,
    async *stream(request) {
      const answer = answers[requests.length]
      requests.push(request)
      if (answer === undefined) throw new Error(`${facts.name} was asked once too often`)
      if (answer instanceof Error) throw answer
      yield* typeof answer === 'string' ? [answer] : answer
    },
  }
}

/** A model that says the beginning of a summary and then nothing more, whatever happens. */
export function hangingModel(): { model: SummaryModel; started: Promise<void> } {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const model: SummaryModel = {
    name: 'acme/hanging',
    async *stream() {
      yield 'half of a summ'
      resolve()
      await new Promise<never>(() => {})
    },
  }
  return { model, started }
}

/** All that a request says. */
export function saidIn(request: SummaryRequest | undefined): string {
  if (request === undefined) throw new Error('The model was not asked')
  return [request.system, ...request.messages.map(contentOf)].join('\n')
}

/** The text of a message that is one text. */
export function contentOf(message: Message | undefined): string {
  if (typeof message?.content !== 'string') throw new Error('The message is not one text')
  return message.content
}

/** Compacts messages with one model. */
export function compacted(
  messages: readonly Message[],
  model: SummaryModel,
  options: Omit<CompactInput, 'log' | 'summaryModels'> = {},
): Promise<CompactResult> {
  return compactMessages(messages, { ...options, summaryModels: [model] })
}

/** The messages that the model would see after the entries of a result were appended to the log. */
export function messagesAfter(log: CompactInput['log'], result: CompactResult): Message[] {
  return messagesOf(viewOf([...log, ...result.entries]))
}

/** True when every one of the texts is there, each after the one before it; upper and lower case are the same. */
export function inOrder(text: string, texts: readonly string[]): boolean {
  let from = 0
  for (const one of texts) {
    const at = text.toLowerCase().indexOf(one.toLowerCase(), from)
    if (at === -1) return false
    from = at + one.length
  }
  return true
}
