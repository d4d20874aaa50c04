import { describe, expect, it } from 'vitest'
import { STOP_REASONS, type StopMeaning } from '../../../src/llm/call/stream.ts'
import { ask, modelAt } from '../support/ask.ts'
import { PROTOCOLS, type Protocol } from '../support/protocols.ts'
import { events, serve } from '../support/server.ts'

/** How a call ends by the meaning of the reason, after some text. */
const ENDS: Readonly<Record<StopMeaning, object>> = {
  whole: { type: 'finish', reason: 'stop' },
  // Nothing was called.
  calls: { type: 'finish', reason: 'stop' },
  cut: { type: 'finish', reason: 'length' },
  refused: { type: 'finish', reason: 'content-filter' },
  'window-full': { type: 'failed', failure: { kind: 'overflow' } },
  broken: { type: 'failed', failure: { kind: 'malformed' } },
}

describe('the end of an answer', () => {
  it.each(STOP_REASONS)('of $kind with $says is $means', async ({ kind, says, means }) => {
    const protocol = PROTOCOLS.find((each) => each.kind === kind)
    if (protocol === undefined) throw new Error(kind)
    const { url } = await serve(events(ending(protocol, says)))
    const last = (await ask(modelAt(url, protocol))).at(-1)
    expect(last).toMatchObject(ENDS[means])
    expect(last).toMatchObject({ usage: { inputTokens: 100, outputTokens: 10 } })
  })

  it('with an unknown reason is whole', async () => {
    for (const protocol of PROTOCOLS) {
      const { url } = await serve(events(ending(protocol, 'had_enough')))
      expect((await ask(modelAt(url, protocol))).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
    }
  })
})

/** An answer that ends with this word of the provider. */
function ending(protocol: Protocol, says: string): string[] {
  return protocol
    .answer({ text: 'Some of it', finish: 'length' })
    .map((event) => event.replace(/"(?:max_tokens|max_output_tokens|MAX_TOKENS|length)"/, JSON.stringify(says)))
}
