import { expect, it } from 'vitest'
import { METRIC_HELP } from '../../../src/server/observe/metrics.ts'

it('every metric says in a sentence of one line what it counts', () => {
  expect(Object.entries(METRIC_HELP).filter(([, help]) => !/^[A-Z].+\.$/.test(help))).toEqual([])
})
