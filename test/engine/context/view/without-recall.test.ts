import { expect, it } from 'vitest'
import { withoutPromises } from '../../../../src/engine/context/view/request.ts'
import { compactMessages } from '../../../../src/fit/compact-messages.ts'
import { fit as fitted } from '../../../../src/fit/fit.ts'
import type { Message, SummaryRequest } from '../../../../src/model/types.ts'
import { call, result, turns, user } from '../../../support/messages.ts'

/** Work with long results, arguments and words of the user, so that all of it is compacted, masked or cut. */
function work(steps: number): Message[] {
  const long = (name: string) => `${name}: ${'a line of many words that is not short at all\n'.repeat(60)}`
  return [
    user(long('the wish')),
    ...Array.from({ length: steps }, (_, i) => [
      call(`c${i}`, 'write', { path: `src/part-${i}.ts`, content: long(`content${i}`) }),
      result(`c${i}`, long(`result${i}`), 'write'),
    ]).flat(),
    ...turns(3, 2_000),
  ]
}

const options = { model: { contextWindow: 16_000 }, reason: 'threshold' as const }

it('without a tool `recall` nothing that is sent promises one, after masks and after compactions', async () => {
  let messages = work(12)
  let state: unknown
  const rungs = new Set<string>()
  for (let round = 0; round < 6; round++) {
    const got = await compactMessages(messages, { ...options, state })
    if (got.compacted) rungs.add(got.rung)
    expect(JSON.stringify(got.messages)).not.toMatch(/recall/)
    state = got.state
    messages = [...messages, ...work(4).map((message) => inRound(message, round))]
  }
  expect([...rungs]).toEqual(expect.arrayContaining(['mask', 'digest']))
})

it('with one the handles say how to get the rest', async () => {
  const got = await compactMessages(work(30), { ...options, recall: true })
  expect(JSON.stringify(got.messages)).toMatch(/recall/)
})

it('the model that writes the summary reads about `recall` only if there is one', async () => {
  const summaries = async (recall: boolean) => {
    const asked: string[] = []
    async function* stream(request: SummaryRequest) {
      asked.push(JSON.stringify(request))
      yield '## Goal\nThe wish: to write src/part-0.ts and src/part-1.ts.'
    }
    let messages = work(12)
    let state: unknown
    for (let round = 0; round < 3; round++) {
      const kept = await fitted(messages, {
        window: 16_000,
        state,
        recall,
        summaryModels: [{ name: 'my/model', stream }],
      })
      state = kept.state
      messages = [...messages, ...work(4).map((message) => inRound(message, round))]
    }
    expect(asked.length).toBeGreaterThan(0)
    return asked.flatMap((text) => text.match(/recall.{0,20}/g) ?? [])
  }
  expect(await summaries(false)).toEqual([])
  expect(await summaries(true)).toContainEqual(expect.stringMatching(/^recall #\d+/))
})

it('words of others stay the very objects that came', () => {
  const own = user('search the log with recall) and [x, recall #12]')
  expect(withoutPromises([own], [own])[0]).toBe(own)
})

function inRound(message: Message, round: number): Message {
  return JSON.parse(JSON.stringify(message).replaceAll(/"c(\d+)"/g, `"r${round}c$1"`))
}
