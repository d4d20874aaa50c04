import { describe, expect, it } from 'vitest'
import { valuesFromText } from '../../../src/config/read/from-text.ts'
import { SHORTCUTS, type Shortcut } from '../../../src/config/tables/shortcuts.ts'
import { PithError } from '../../../src/model/problems/errors.ts'

const CHOSEN = (SHORTCUTS as readonly Shortcut[]).flatMap(({ key, choices }) => (choices ? [{ key, choices }] : []))
const place = { source: 'flag', folder: '/', where: () => 'flag' }

describe('the choices of a flag', () => {
  it.each(CHOSEN)('are all the values that $key takes', ({ key, choices }) => {
    for (const choice of choices) expect(valuesFromText(key, choice, place)).toMatchObject([{ value: choice }])
    expect(takenBy(key)).toEqual(choices)
  })
})

/** The values that the configuration names when it refuses one that nothing takes. */
function takenBy(key: string): string[] {
  const [, named = ''] = /(?:expected|must be) (.*?)(?:, or a table.*)?$/.exec(refusalOf(key)) ?? []
  return (named.match(/[a-z]+(?:-[a-z]+)*/g) ?? []).filter((word) => word !== 'or')
}

function refusalOf(key: string): string {
  try {
    valuesFromText(key, 'quux', place)
  } catch (error) {
    if (error instanceof PithError) return error.message
  }
  return ''
}
