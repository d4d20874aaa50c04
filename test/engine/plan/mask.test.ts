import { expect, it } from 'vitest'
import { mask } from '../../../src/engine/plan/mask.ts'
import { outputText, resultsOf } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
const options = { needTokens: 900, prices, estimator: charactersByFour }
const output = 'word'.repeat(1_000)

it('old tool output gives way to handles, and newer messages stay as they are', () => {
  const messages = [user('go'), call('a'), result('a', output), call('b'), result('b', output), ...turns(1)]
  const done = mask(messages, { ...options, keepTokens: 1_100 })
  if (!done.masked) throw new Error(done.why)
  expect(done.results).toBe(1)
  expect(done.messages).toEqual([...messages.slice(0, 2), done.messages[2], ...messages.slice(3)])
  const texts = done.messages.flatMap(resultsOf).map((part) => outputText(part.output))
  expect(texts).toEqual(['[masked to save context: 4000 characters, recall #3]', output])
  expect(done.freedTokens).toBe(1_000 - Math.floor((texts[0] ?? '').length / 4))
})

it('the newest 20,000 tokens are left alone by default', () => {
  const old = [user('go'), call('a'), result('a', output)]
  const said = (tokens: number) => [...old, assistant('word'.repeat(tokens))]
  expect(mask(said(20_000), options)).toMatchObject({ masked: true })
  expect(mask(said(18_000), options)).toMatchObject({ masked: false })
})

it('messages come back as they were if masking them is not worth it', () => {
  const messages = turns(2)
  const done = mask(messages, options)
  expect(done).toEqual({ masked: false, messages, why: 'masking all old tool output would free 0 of 900 tokens' })
  expect(done.messages).not.toBe(messages)
})

it('prices decide whether a broken cache pays off', () => {
  const messages = [user('go'), call('a'), result('a', output), ...turns(20, 8_000)]
  expect(mask(messages, { ...options, keepTokens: 1_000 })).toMatchObject({ masked: true })
  expect(mask(messages, { ...options, keepTokens: 1_000, prices: undefined })).toMatchObject({
    masked: false,
    why: expect.stringMatching(/broken cache/),
  })
})
