import { describe, expect, it } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { apiPage } from '../../scripts/docs/api-page.ts'
import { entryPoints, exportedNames } from '../../scripts/docs/api-surface.ts'

const POINTS = entryPoints()
const namesOf = (entry: string) => exportedNames(POINTS.get(entry) ?? '')
const ADAPTERS = ['pith/ai-sdk', 'pith/langchain', 'pith/openai-agents', 'pith/mastra', 'pith/opentelemetry']
/** The parts of the engine are listed by their names alone; the suite for stores is listed with `pith/store`. */
const DOCUMENTED = [...POINTS.keys()].filter((entry) => entry !== 'pith/engine' && entry !== 'pith/store/conformance')

describe('the public surface', () => {
  it.each(DOCUMENTED)('%s says of each name what it is', (entry) => {
    const names = namesOf(entry)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter(({ comment }) => comment === '').map(({ name }) => name)).toEqual([])
  })

  it.each(DOCUMENTED)('the page has a part for %s', (entry) => {
    const page = apiPage()
    expect(page).toContain(`## \`${entry}\``)
  })

  it('the page says what each name without types is for', () => {
    const page = apiPage()
    const plain = Object.entries(packageFile.exports).filter(([, target]) => typeof target === 'string')
    const names = plain.map(([path]) => path.replace(/^\./, 'pith')).filter((name) => name !== 'pith/package.json')
    expect(names).toEqual(['pith/server'])
    for (const name of names) expect(page).toContain(`\`${name}\``)
    expect(packageFile.exports['./server']).toBe(packageFile.exports['./opencode'].default)
  })

  it.each(['pith', ...ADAPTERS])('%s shows each function in an example', (entry) => {
    const functions = namesOf(entry).filter(({ isFunction }) => isFunction)
    expect(functions.length).toBeGreaterThan(0)
    expect(functions.filter(({ comment }) => !comment.includes('@example')).map(({ name }) => name)).toEqual([])
  })

  it('pith can be learned: it has at most fifty names', () => {
    expect(namesOf('pith').length).toBeLessThanOrEqual(50)
  })
})
