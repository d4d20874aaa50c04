import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { checkPrompts } from '../../../src/formats/shared/format.ts'
import { user } from '../../support/messages.ts'
import { decoded, FIXTURES, fixture } from '../fixture.ts'

const NONE = new Set<number>()

describe('the check that every typed prompt reached the log', () => {
  it('finds a prompt that is nowhere in it', () => {
    const prompts = [
      { line: 3, text: 'Run the tests.' },
      { line: 9, text: 'And lint.' },
    ]
    expect(checkPrompts(prompts, logOf([user('Run the  tests.')]), NONE)).toEqual({
      typed: 2,
      left: [],
      missing: [{ line: 9, text: 'And lint.' }],
    })
  })

  it('counts a prompt as often as it was typed', () => {
    const prompts = [1, 2].map((line) => ({ line, text: 'go on' }))
    expect(checkPrompts(prompts, logOf([user('go on'), user('and go on')]), NONE).missing).toHaveLength(1)
    expect(checkPrompts(prompts, logOf([user('go on'), user('go on')]), NONE).missing).toEqual([])
  })

  it('finds a queued prompt among others in one message, however often the file has it', () => {
    const log = logOf([user('and lint\nand the types')])
    const prompts = [
      { line: 3, text: 'and lint\nand the types' },
      { line: 1, text: 'and lint', isQueued: true as const },
    ]
    expect(checkPrompts(prompts, log, NONE).missing).toEqual([])
  })

  it('lists prompts on branches that were left apart', () => {
    expect(checkPrompts([{ line: 4, text: 'Stop.' }], [], new Set([4]))).toMatchObject({ typed: 1, missing: [] })
    expect(decoded(fixture('claude-code.jsonl')).prompts).toEqual({
      typed: 2,
      left: [{ line: 19, text: 'Never mind.' }],
      missing: [],
    })
  })

  it('takes a queued prompt that went to a branch which was left for left, not for lost', () => {
    const queue = (operation: string) => ({
      type: 'queue-operation',
      operation,
      content: operation === 'enqueue' ? 'and lint' : undefined,
    })
    const said = (uuid: string, parentUuid: string, content: string) => ({
      type: 'user',
      uuid,
      parentUuid,
      message: { role: 'user', content },
    })
    const left = [queue('enqueue'), queue('dequeue'), said('z1', 'a8', 'and lint'), said('z2', 'a8', 'Stop.')]
    const lost = [queue('enqueue'), queue('remove'), said('z2', 'u1', 'Stop.')]
    for (const lines of [left, lost]) {
      const text = fixture('claude-code.jsonl') + lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      expect(decoded(text).prompts?.missing).toEqual([])
    }
  })

  it.each(readdirSync(FIXTURES).filter((name) => !name.includes('kinds')))('is passed by %s', (name) => {
    const { prompts } = decoded(fixture(name))
    if (prompts !== undefined) expect(prompts).toMatchObject({ typed: expect.any(Number), missing: [] })
  })

  it.each(['claude-code', 'codex', 'pi-v3', 'copilot', 'qwen-code', 'gemini'])('counts the prompts of %s', (name) => {
    expect(decoded(fixture(`${name}.jsonl`)).prompts?.typed).toBeGreaterThan(0)
  })

  it('does not count what was taken back from the queue', () => {
    const queue = (operation: string) => ({ type: 'queue-operation', operation, content: 'never mind' })
    const lines = [queue('enqueue'), queue('popAll')].map((line) => `${JSON.stringify(line)}\n`).join('')
    expect(decoded(fixture('claude-code.jsonl') + lines).prompts?.typed).toBe(2)
  })
})
