import { expect, it, onTestFinished, vi } from 'vitest'
import { compactMessages } from '../../src/fit/compact-messages.ts'
import type { Message } from '../../src/model/types.ts'
import { call, result, turns, user } from '../support/messages.ts'

it.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'hello'],
  ['without content', { role: 'user' }],
  ['with a number for content', { role: 'user', content: 4 }],
  ['with a text for a part', { role: 'user', content: ['hello'] }],
  ['with nothing for a part', { role: 'user', content: [null] }],
  ['with a part without a type', { role: 'user', content: [{ type: 'text', text: 'a' }, { text: 'b' }] }],
])('a message that is %s is refused by its number', async (_, wrong) => {
  await expect(compactMessages([user('a'), wrong as Message], {})).rejects.toThrow(/message 2\b/)
})

it('messages in order are compacted, with the options of a compaction', async () => {
  const messages = [user('go'), call('x'), result('x'), ...turns(20, 400)]
  const window = 100_000
  expect(await compactMessages(messages, { window })).toMatchObject({
    compacted: true,
    reason: 'manual',
    rung: 'digest',
  })
  expect(await compactMessages(messages, { reason: 'threshold', model: { contextWindow: 100_000 } })).toMatchObject({
    compacted: false,
    skip: 'under-trigger',
    messages,
    messagesRemoved: 0,
  })
})

it('a repair is listed, whether the messages are compacted or not', async () => {
  const messages = [user('go'), call('x'), user('on'), ...turns(20, 400)]
  const repairs = [{ index: 1, change: 'add-result', why: 'the call x has no result' }]
  expect(await compactMessages(messages, { window: 100_000 })).toMatchObject({ compacted: true, repairs })
  const kept = await compactMessages(messages, { window: 100_000, reason: 'threshold' })
  expect(kept).toMatchObject({ compacted: false, repairs })
  expect(kept.messages).toHaveLength(messages.length + 1)
})

it('window, system and tools are those of model and fixed, by the names that fit has for them', async () => {
  const messages = [user('go'), call('x'), result('x'), ...turns(20, 400)]
  const system = 'You are a coding agent. '.repeat(40)
  const tools = [{ name: 'read', inputSchema: { type: 'object' } }]
  const short = await compactMessages(messages, { window: 16_000, system, tools })
  const long = await compactMessages(messages, { model: { contextWindow: 16_000 }, fixed: { system, tools } })
  expect(short.tokensBefore).toBe(long.tokensBefore)
  expect(short.tokensBefore).toBeGreaterThan((await compactMessages(messages, { window: 16_000 })).tokensBefore)
  expect(short.messages).toEqual(long.messages)
})

it('a compaction without a measure says so, and prints it', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  const { compacted, warning } = await compactMessages(turns(20, 400), {})
  expect(compacted).toBe(true)
  expect(warning).toMatch(/context window is not known.*set the option window/)
  expect(warn.mock.calls).toEqual([[`pith: ${warning}`]])
  expect(await compactMessages(turns(20, 400), { window: 16_000 })).not.toHaveProperty('warning')
  expect(warn).toHaveBeenCalledTimes(1)
})

it.each([0, -1, Number.NaN])('a window of %s is refused', async (window) => {
  await expect(compactMessages(turns(20, 400), { window })).rejects.toThrow('window: the context window of the model')
})
