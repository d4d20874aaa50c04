import { describe, expect, it } from 'vitest'
import type { Entry, Message } from '../../../src/model/types.ts'
import { sameTextAs } from '../../../src/store/search/same-text.ts'
import { call, user } from '../../support/messages.ts'

const said = (message: Message) => sameTextAs({ type: 'message', id: 'a', seq: 1, at: 0, message } satisfies Entry)

describe('the text of an entry elsewhere', () => {
  it('is known by a word that looks like a secret, inside of other words too', () => {
    const { isIn } = said(user('use sk-live-51Hx9zQw77 and p@ssw0rd! for https://me:Tr0ub4dor@db.example/x please'))
    expect(isIn('export KEY="sk-live-51Hx9zQw77"')).toBe(true)
    expect(isIn('{"a":"\\nsk-live-51Hx9zQw77"}')).toBe(true)
    expect(isIn('the password p@ssw0rd! was wrong')).toBe(true)
    expect(isIn('Tr0ub4dor')).toBe(true)
    expect(isIn('use the key and the password for the database please')).toBe(false)
  })

  it('is known by long numbers and long words', () => {
    expect(said(user('card 4111111111111111')).isIn('paid with 4111111111111111')).toBe(true)
    expect(said(user('it is correct-horse-battery-staple')).isIn('correct-horse-battery-staple')).toBe(true)
  })

  it.each([
    ['letters and digits from eight characters on', 'a1b2c3d4', 'a1b2c3d'],
    ['digits from twelve on', '123456789012', '12345678901'],
    ['letters from twenty-four on', 'correcthorsebatterystapl', 'correcthorsebatterystap'],
    ['at most two thousand characters', 'x1'.repeat(1_000), `${'x1'.repeat(1_000)}y`],
  ])('is known by words of %s', (_, known, other) => {
    const isFound = (word: string) => said(user(`it is ${word} there`)).isIn(`<${word}>`)
    expect([isFound(known), isFound(other)]).toEqual([true, false])
  })

  it('is known as a whole when it has no such word', () => {
    const { isIn } = said(user('swordfish'))
    expect([isIn('the word is swordfish'), isIn('the word is sword')]).toEqual([true, false])
  })

  it('is known as a whole from eight characters on: shorter words are said by chance', () => {
    expect(said(user('sunshine')).isIn('the word is sunshine')).toBe(true)
    expect(said(user('monkeys')).isIn('the word is monkeys')).toBe(false)
  })

  it('is found in the arguments of a call, but not by the name or the id of the call', () => {
    const { isIn } = said(call('call-0123456789', 'run_a_tool_with_a_long_name', { command: 'echo hunter2-Abc99' }))
    expect(isIn('hunter2-Abc99')).toBe(true)
    expect(isIn('call-0123456789 run_a_tool_with_a_long_name')).toBe(false)
  })

  it('of many words is found too', () => {
    const words = Array.from({ length: 500 }, (_, i) => `secret-number-${i}x`)
    expect(said(user(words.join('\n'))).isIn('it was secret-number-499x, I think')).toBe(true)
  })

  it('is taken out of a text, and the rest of it stays', () => {
    const { without } = said(user('use sk-live-51Hx9zQw77 for the shop'))
    expect(without('Never show sk-live-51Hx9zQw77 or "sk-live-51Hx9zQw77".')).toBe(
      'Never show [redacted by the user] or "[redacted by the user]".',
    )
    expect(said(user('swordfish')).without('the word is swordfish')).toBe('the word is [redacted by the user]')
    const words = Array.from({ length: 500 }, (_, i) => `secret-number-${i}x`).join('\n')
    expect(said(user(words)).without('it was secret-number-499x')).toBe('it was [redacted by the user]')
    expect(without('Use the key for the shop')).toBe('Use the key for the shop')
  })

  it('that is redacted already is nowhere', () => {
    expect(said(user('[redacted by the user]')).isIn('[redacted by the user]')).toBe(false)
  })
})

describe('a title', () => {
  const { isTitle } = said(
    user('  Mend the\tupload of the shop, which fails for files of more than ten megabytes\nplease'),
  )

  it('was made from a message that it is the first line or the beginning of, in a fork too', () => {
    expect(isTitle('Mend the upload of the shop, which fails for files of more …')).toBe(true)
    expect(isTitle('Mend the upload of the shop, which fails for files of more … (fork) (fork)')).toBe(true)
    expect(isTitle('please')).toBe(true)
  })

  it('that only has a word in common was not', () => {
    for (const title of ['Mend', 'upload', 'Mend the uploads…', 'session', '']) expect(isTitle(title)).toBe(false)
  })
})
