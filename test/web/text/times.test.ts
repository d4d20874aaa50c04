import { describe, expect, it } from 'vitest'
import { ago } from '../../../web/text/times.ts'

describe('times', () => {
  it('are said in the unit that fits', () => {
    expect([ago(0, 30_000), ago(0, 300_000), ago(0, 7_200_000)]).toEqual(['now', '5 min', '2 h'])
  })
})
