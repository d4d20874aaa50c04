import { describe, expect, it } from 'vitest'
import { recoveringModel } from '../../../src/adapters/openai-agents/recovering-model.ts'

type Input = { readonly text: string }[]
type StreamEvent = { readonly type: string; readonly event?: unknown; readonly delta?: string; readonly try?: number }

const raw = (type: string, fields: object = {}): StreamEvent => ({ type: 'model', event: { type, ...fields } })
const delta: StreamEvent = { type: 'output_text_delta', delta: 'Yes.' }
const begun = (at: number): StreamEvent[] => [
  { type: 'response_started', try: at },
  raw('response.created', { response: { id: at, error: null } }),
  raw('response.in_progress', { response: { id: at, error: null } }),
]
const TOO_LARGE = 'Your input exceeds the context window of this model.'

/** The events of a model that fails its first try after some events, and the refusals that its refit got. */
async function streamed(before: readonly StreamEvent[], error: Error) {
  let tries = 0
  const refusals: unknown[] = []
  const model = {
    getResponse: async () => 'none',
    async *getStreamedResponse(_request: { input: Input }): AsyncGenerator<StreamEvent> {
      tries++
      yield* tries === 1 ? before : [...begun(2), delta]
      if (tries === 1) throw error
    },
  }
  const refit = async (refusal: unknown) => {
    refusals.push(refusal)
    return JSON.stringify([refusal, String(refusal)]).includes(TOO_LARGE) ? [] : undefined
  }
  const recovering = recoveringModel(model, refit, () => {})
  const events: StreamEvent[] = []
  let thrown: unknown
  try {
    for await (const event of recovering.getStreamedResponse({ input: [{ text: 'a' }] })) events.push(event)
  } catch (caught) {
    thrown = caught
  }
  return { events, thrown, refusals, tries }
}

describe('a stream that is recovering has the events of the try that was answered, each once', () => {
  it('if the first try is refused before any event', async () => {
    const { events, thrown } = await streamed([], new Error(TOO_LARGE))
    expect(thrown).toBeUndefined()
    expect(events).toEqual([...begun(2), delta])
  })

  it('if it is refused after the news that the provider has begun, raw ones too', async () => {
    const { events, thrown } = await streamed(begun(1), new Error(TOO_LARGE))
    expect(thrown).toBeUndefined()
    expect(events).toEqual([...begun(2), delta])
  })

  it.each([
    raw('response.failed', { response: { id: 1, error: { code: 'context_length_exceeded', message: TOO_LARGE } } }),
    raw('error', { code: 'context_length_exceeded', message: TOO_LARGE }),
  ])('if only the raw event says why it failed: %j', async (failed) => {
    const ended = new Error('OpenAI Responses request ended with unsuccessful terminal state.')
    const { events, thrown } = await streamed([...begun(1), failed], ended)
    expect(thrown).toBeUndefined()
    expect(events).toEqual([...begun(2), delta])
  })
})

it('a stream that fails for another reason has all of its events before the error', async () => {
  const error = new Error('The server is overloaded.')
  const failed = raw('response.failed', {
    response: { id: 1, error: { code: 'server_error', message: 'Overloaded.' } },
  })
  const { events, thrown, tries } = await streamed([...begun(1), failed], error)
  expect(events).toEqual([...begun(1), failed])
  expect([thrown, tries]).toEqual([error, 1])
})

it('a stream that has said something is not asked for again', async () => {
  const said = [...begun(1), raw('response.output_item.added')]
  const error = new Error(TOO_LARGE)
  const { events, thrown, refusals } = await streamed(said, error)
  expect(events).toEqual(said)
  expect([thrown, refusals]).toEqual([error, []])
})

it('the counts of an answer are reported with the list that it answers, unless the provider keeps the rest of that list', async () => {
  const usage = { inputTokens: 1_200, outputTokens: 30 }
  const model = {
    getResponse: async (_request: { input: Input; previousResponseId?: string }) => ({ usage }),
    async *getStreamedResponse(_request: { input: Input }) {
      yield { type: 'response_done', response: { usage } }
    },
  }
  const reported: unknown[] = []
  const recovering = recoveringModel(
    model,
    async () => undefined,
    (...report) => reported.push(report),
  )
  const input = [{ text: 'a' }]
  await recovering.getResponse({ input })
  for await (const _ of recovering.getStreamedResponse({ input }));
  await recovering.getResponse({ input, previousResponseId: 'r1' })
  expect(reported).toEqual([
    [input, usage],
    [input, usage],
  ])
})
