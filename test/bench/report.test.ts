import { describe, expect, it } from 'vitest'
import { chosenBenches } from '../../bench/harness/chosen-benches.ts'
import { markdownTable } from '../../bench/harness/markdown-table.ts'
import { contestant, median, race } from '../../bench/harness/timing.ts'

describe('a table', () => {
  it('rounds numbers to three digits, marks what is missing, and escapes bars', () => {
    const rows = [
      ['a|b', 1234.5],
      ['c', 0.012345],
      ['d', undefined],
    ]
    expect(markdownTable({ title: '', columns: ['who', 'ms'], rows }).split('\n')).toEqual([
      '| who  |     ms |',
      '| ---- | -----: |',
      '| a\\|b |  1,235 |',
      '| c    | 0.0123 |',
      '| d    |      – |',
    ])
  })
})

describe('choosing benchmarks', () => {
  const bench = (name: string) => ({ name, what: '', run: async () => ({ tables: [] }) })
  const all = ['speed/open', 'speed/count', 'cost/sweep'].map(bench)
  const names = (...words: string[]) => chosenBenches(all, words).chosen.map(({ name }) => name)

  it('takes names and groups, and all if nothing is named', () => {
    expect(names('speed')).toEqual(['speed/open', 'speed/count'])
    expect(names('cost/sweep', 'speed/open')).toEqual(['speed/open', 'cost/sweep'])
    expect(names()).toHaveLength(3)
  })

  it('names the benchmarks that do not exist', () => {
    expect(chosenBenches(all, ['speed', 'spee']).unknown).toBe('spee')
  })
})

describe('a race', () => {
  it('lets all take turns, another one first in each round, and does not count the rounds that warm up', async () => {
    const order: string[] = []
    const one = (name: string) => contestant({ name, prepare: () => name, run: (own) => order.push(own) })
    const timed = await race([one('a'), one('b')], { rounds: 2, warmUp: 1, collect: () => {} })
    expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
    expect(timed.map(({ runs }) => runs.length)).toEqual([2, 2])
  })

  it('continues without one that fails, and says why', async () => {
    const bad = contestant({ name: 'bad', prepare: () => 0, run: () => Promise.reject(new Error('no such function')) })
    const good = contestant({ name: 'good', prepare: () => 0, run: () => 0 })
    const [first, second] = await race([bad, good], { rounds: 3, collect: () => {} })
    expect(first?.failure).toBe('no such function')
    expect(second?.runs).toHaveLength(3)
  })
})

describe('the median', () => {
  it('is the middle, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([4, 1, 2, 100])).toBe(3)
  })
})
