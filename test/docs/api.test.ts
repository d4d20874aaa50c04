import { describe, expect, it } from 'vitest'
import { entryPoints, exportedNames } from '../../scripts/docs/api-surface.ts'

const POINTS = entryPoints()
const namesOf = (entry: string) => exportedNames(POINTS.get(entry) ?? '')
const DOCUMENTED = ['pith', 'pith/ai-sdk', 'pith/formats', 'pith/models', 'pith/store', 'pith/session']

describe('the public surface', () => {
  it.each(DOCUMENTED)('%s says of each name what it is', (entry) => {
    const names = namesOf(entry)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
  })

  it.each(['pith', 'pith/ai-sdk'])('%s shows each function in an example', (entry) => {
    const functions = namesOf(entry).filter(({ isFunction }) => isFunction)
    expect(functions.length).toBeGreaterThan(3)
    expect(functions.filter(({ comment }) => !comment.includes('@example')).map(({ name }) => name)).toEqual([])
  })

  it('pith can be learned: it has at most fifty names', () => {
    expect(namesOf('pith').length).toBeLessThanOrEqual(50)
  })
})
