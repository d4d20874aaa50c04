import { expect, it } from 'vitest'
import { doubtText, sourceText } from '../../../src/engine/report/status-text.ts'

it('says who counted the tokens of a status', () => {
  expect(sourceText({ source: 'provider' })).toBe('counted by the provider; the shares are estimated')
  expect(sourceText({ source: 'estimate' })).toBe('estimated: no reply has counted it yet')
})

it('names the model of a count that is for another one', () => {
  expect(sourceText({ source: 'estimate', countedFor: 'acme/large' })).toBe(
    'estimated: the provider’s last count is for acme/large',
  )
})

it('says which report is not believed', () => {
  expect(sourceText({ source: 'estimate', doubted: 1_234 })).toBe(
    'estimated: the provider reported 1,234 tokens, which cannot be right',
  )
  expect(doubtText({ tokens: 90_000, doubted: 1_234 })).toBe(
    'The provider reported 1,234 tokens for a context of about 90,000: the estimate counts instead',
  )
})

it('doubts nothing if the report is believed', () => {
  expect(doubtText({ tokens: 90_000 })).toBeUndefined()
})
