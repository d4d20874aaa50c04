import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const PASTE = `Look at this log, it fails in the second step:\n${'2026-01-01 12:00:00 DEBUG hook invoked session=abc\n'.repeat(200)}Why?`

/** A span like those of real sessions: short requests, a pasted log, files of a deep tree, a long answer to each request. */
function session(rounds: number): Message[] {
  return Array.from({ length: rounds }, (_, i): Message[] => [
    user(i === 3 ? PASTE : `Please do part ${i} of the work, and never touch the table t_${i}.`),
    ...['read', 'edit'].flatMap((tool) => [
      call(`${tool}-${i}`, tool, { path: `/home/someone/work/project/packages/part-${i}/src/${tool}-${i}.ts` }),
      result(`${tool}-${i}`, 'x'.repeat(2_000), tool),
    ]),
    assistant(`I decided to cache part ${i} because the parser was slow. ${report(i)}`),
  ]).flat()
}

function report(part: number): string {
  return Array.from({ length: 60 }, (_, i) => `The table \`t_${part}_${i}\` is read once.`).join(' ')
}

async function recordWithin(characters: number, messages: readonly Message[]): Promise<string> {
  const done = await compact({
    log: logOf(messages),
    model: { contextWindow: 200_000 },
    policy: { keepMessages: 0 },
    recordCharacters: characters,
  })
  const content = done.compacted ? done.messages[0]?.content : ''
  return /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(typeof content === 'string' ? content : '')?.[2] ?? ''
}

describe('a record with a limit of characters', () => {
  it.each([200, 1_000, 3_000, 8_000, 12_775, 40_000])('has no more: %i', async (characters) => {
    const record = await recordWithin(characters, session(30))
    expect(record.length).toBeLessThanOrEqual(characters)
  })

  it('uses nearly all of them while there is something left to show', async () => {
    const record = await recordWithin(12_775, session(30))
    expect(record.length).toBeGreaterThan(12_775 * 0.95)
    // One turn with little said: what the narrative does not need goes to the facts, and the other way round.
    const [first] = session(1)
    const steps = session(30).filter(({ role }) => role !== 'user')
    const under = await recordWithin(9_000, first === undefined ? [] : [first, ...steps.slice(0, -1)])
    expect(under.length).toBeGreaterThan(9_000 * 0.9)
  })

  it('has what was changed and read last, the words of the user without what they pasted, and what the agent decided', async () => {
    const record = await recordWithin(12_775, session(30))
    for (let i = 0; i < 30; i++) {
      if (i >= 20) expect(record).toContain(`read-${i}.ts`)
      expect(record).toContain(`edit-${i}.ts`)
      if (i !== 3) expect(record).toContain(`Please do part ${i} of the work, and never touch the table t_${i}.`)
    }
    expect(record).toMatch(/Look at this log, it fails in the second step:\n\[pasted: \d+ lines, .*\]\nWhy\?/)
    expect(record).toContain('I decided to cache part 29 because the parser was slow.')
  })

  it('has the modified files and the first and last words of the user when there is room for little else', async () => {
    const record = await recordWithin(3_500, session(30))
    for (let i = 20; i < 30; i++) expect(record).toContain(`edit-${i}.ts`)
    expect(record).toContain('Please do part 0 of the work')
    expect(record).toContain('Please do part 29 of the work')
    expect(record).toMatch(/recall/)
  })

  it('is the same when the log is read again', async () => {
    const done = await compact({ log: logOf(session(9)), recordCharacters: 5_000, policy: { keepMessages: 0 } })
    const again = viewOf(structuredClone([...logOf(session(9)), ...done.entries]))
    expect(again.items.at(0)?.message).toEqual(done.messages[0])
  })
})
