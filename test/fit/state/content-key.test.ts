import { expect, it } from 'vitest'
import { contentText, prefixKeys, quickKey } from '../../../src/fit/state/content-key.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

it.each<[string, Message, Message]>([
  ['a text alone or in a part', user('hello'), { role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  [
    'the order of the keys of an input',
    call('a', 'edit', { path: 'x', text: 'y' }),
    call('a', 'edit', { text: 'y', path: 'x' }),
  ],
  [
    'where to cache',
    { role: 'user', content: [{ type: 'text', text: 'hello', providerOptions: { anthropic: { cacheControl: 'x' } } }] },
    user('hello'),
  ],
  [
    'reasoning',
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'yes' },
      ],
    },
    assistant('yes'),
  ],
  [
    'bytes or their base64',
    { role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, 3]) }] },
    { role: 'user', content: [{ type: 'image', image: 'AQID' }] },
  ],
  [
    'bytes in a buffer or their base64',
    { role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, 3]).buffer }] },
    { role: 'user', content: [{ type: 'image', image: 'AQID' }] },
  ],
])('%s makes no difference to what a message says', (_, one, other) => {
  expect(contentText(one)).toBe(contentText(other))
})

it.each<[string, Message, Message]>([
  ['a role', user('yes'), assistant('yes')],
  ['a word', user('yes'), user('no')],
  ['an input', call('a', 'read', { path: 'x' }), call('a', 'read', { path: 'y' })],
  ['the id of a call', call('a'), call('b', 'read', { path: 'a.ts' })],
  ['a result', result('a', 'one'), result('a', 'two')],
  [
    'two texts or one',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    user('ab'),
  ],
])('%s makes one', (_, one, other) => {
  expect(contentText(one)).not.toBe(contentText(other))
})

it.each([
  ['ASCII', 'a'],
  ['other letters', 'ä'],
])('a character of a long text in %s makes another key, wherever it is', (_, letter) => {
  for (const length of [63, 64, 65, 16_384, 16_385, 40_000]) {
    const places = [0, 1, Math.floor(length / 2), length - 2, length - 1]
    const texts = places.map((at) => `${letter.repeat(at)}x${letter.repeat(length - at - 1)}`)
    expect(new Set([letter.repeat(length), ...texts].map(quickKey)).size, `${length}`).toBe(texts.length + 1)
  }
})

it('a prefix has a key of its own, and after one more message only that one is read', () => {
  let read: number[] = []
  const noting = (message: Message, i: number): Message => ({
    ...message,
    get content() {
      read.push(i)
      return message.content as never
    },
  })
  const said = turns(20)
  const messages = said.map(noting)
  const keys = prefixKeys(messages)
  expect(new Set(keys).size).toBe(40)
  expect(new Set(read).size).toBe(40)
  read = []
  expect(prefixKeys([...messages, noting(user('more'), 40)]).slice(0, 40)).toEqual(keys)
  expect(new Set(read)).toEqual(new Set([40]))
  expect(prefixKeys(structuredClone(said))).toEqual(keys)
})

it('the same message after another beginning has another key', () => {
  const shared = user('shared')
  const [, after] = prefixKeys([user('a'), shared])
  const [, later] = prefixKeys([user('b'), shared])
  expect(after).not.toBe(later)
  expect(prefixKeys([user('a'), shared])[1]).toBe(after)
})

it('the keys of many short texts differ', () => {
  const keys = new Set(Array.from({ length: 20_000 }, (_, i) => quickKey(`${i}`)))
  expect(keys.size).toBe(20_000)
})
