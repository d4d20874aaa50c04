import { describe, expect, it } from 'vitest'
import { settingText, settingValue } from '../../../src/tui/port/shared.ts'

describe('a setting', () => {
  it.each([
    ['40', 40],
    ['true', true],
    ['mask, digest', ['mask', 'digest']],
    ['auto', 'auto'],
    ['', ''],
  ])('typed as %j is read as what it means', (text, value) => {
    expect(settingValue(text)).toEqual(value)
  })

  it('that is a list is shown with commas', () => {
    expect([settingText(['mask', 'digest']), settingText(40)]).toEqual(['mask, digest', '40'])
  })
})
