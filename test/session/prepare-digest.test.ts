import { expect, it, onTestFinished } from 'vitest'
import { compactContext } from '../../src/engine/compact/compact.ts'
import { prepareDigest } from '../../src/engine/compact/prepare-digest.ts'
import { extendContext, openContext } from '../../src/engine/context/open-context.ts'
import { appended } from '../../src/engine/context/view/log.ts'
import type { CompactedResult } from '../../src/model/compact-result.ts'
import type { EntryDraft, Message, SummaryModel } from '../../src/model/types.ts'
import type { CompactSessionInput } from '../../src/session/compaction/compact-session.ts'
import { LiveSession } from '../../src/session/live-session.ts'
import { assistant, call, result, user } from '../support/messages.ts'
import { temporaryStore } from '../support/store.ts'

const said = (messages: readonly Message[]) => messages.map((message): EntryDraft => ({ type: 'message', message }))

const KEY = ['sk-ant-api03-', 'q7Zr4WmK'.repeat(11), 'AA'].join('')
const early = said([
  user(`Fix src/early.ts. The key is ${KEY}.`),
  ...[0, 1, 2, 3, 4, 5].flatMap((i) => [call(`early${i}`), result(`early${i}`, 'its text '.repeat(600))]),
  assistant('Done with the first part, because the parser was wrong about commas.'),
])
const later = said([
  user('Now src/later.ts, with the same rules.'),
  ...[0, 1, 2, 3, 4, 5].flatMap((i) => [call(`later${i}`), result(`later${i}`, 'its text '.repeat(600))]),
  assistant('Done.'),
])

const failing: SummaryModel = {
  name: 'test/failing',
  async *stream() {
    yield 'The summary of'
    throw new Error('overloaded')
  },
}
const input: CompactSessionInput = {
  holder: 'test',
  reason: 'threshold',
  model: { contextWindow: 20_000 },
  policy: { keepTokens: 1_000, triggerPercent: 40, rungs: ['cold', 'digest'] },
  summaryModels: [failing],
}

/** A session that is compacted after all was said. `prepared`: its digest was prepared after the first part. */
async function compacted(prepared: boolean): Promise<CompactedResult> {
  const { store, remove } = await temporaryStore()
  onTestFinished(remove)
  const { id } = await store.createSession({ owner: 'ann', workspace: '/repo' })
  const live = await LiveSession.open(store, id)
  await live.append(early)
  if (prepared) {
    await live.prepareDigest(input)
    expect(live.log).toHaveLength(early.length)
    expect((await store.entries(id, {})).entries).toHaveLength(early.length)
  }
  await live.append(later)
  const done = await live.compact(input)
  if (!done.compacted) throw new Error(done.reason)
  return done
}

it('a prepared digest stores nothing, and is the same as one that was not prepared, with all that was said meanwhile', async () => {
  const [prepared, usual] = [await compacted(true), await compacted(false)]
  expect(prepared).toMatchObject({ rung: 'digest', refusal: 'overloaded' })
  expect(prepared.summary).toBe(usual.summary)
  expect(prepared.messages).toEqual(usual.messages)
  const record = JSON.stringify(prepared.messages[0])
  expect(record).toContain('src/early.ts')
  expect(record).toContain('src/later.ts')
  expect(record).not.toContain(KEY)
})

it('after a preparation, secrets are searched only in what was said since', async () => {
  const searched: string[] = []
  const redact = (text: string) => {
    searched.push(text)
    return text
  }
  const first = openContext(appended([], early), input)
  const clean = await prepareDigest(first, { redact })
  expect(searched.join()).toContain('src/early.ts')
  searched.length = 0
  const whole = appended(first.log.slice(), later).slice(early.length).reduce(extendContext, first)
  const { result } = await compactContext(whole, { redact, clean })
  expect(result).toMatchObject({ rung: 'digest' })
  expect(searched.join()).toContain('src/later.ts')
  expect(searched.join()).not.toContain('src/early.ts')
})
