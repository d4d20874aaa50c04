import { describe, expect, it } from 'vitest'
import { valuesFromText } from '../../src/config/from-text.ts'
import { SHORTCUTS, type Shortcut } from '../../src/config/shortcuts.ts'
import { PithError } from '../../src/model/errors.ts'

const CHOSEN = (SHORTCUTS as readonly Shortcut[]).flatMap(({ key, choices }) => (choices ? [{ key, choices }] : []))
const place = { source: 'flag', folder: '/', where: () => 'flag' }

describe('the choices of a flag', () => {
  it.each(CHOSEN)('are the values that $key takes', ({ key, choices }) => {
    for (const choice of choices) expect(valuesFromText(key, choice, place)).toMatchObject([{ value: choice }])
    const refusal = refusalOf(key)
    expect(refusal.match(/[a-z]+(?:-[a-z]+)*/g)).toEqual(expect.arrayContaining([...choices]))
  })
})

/** What the configuration says of a value that nothing takes: it names those that are taken. */
function refusalOf(key: string): string {
  try {
    valuesFromText(key, 'quux', place)
  } catch (error) {
    if (error instanceof PithError) return error.message
  }
  return ''
}
